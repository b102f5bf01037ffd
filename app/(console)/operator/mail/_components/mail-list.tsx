"use client"
import { RowAction } from "@/components/form/row-action"
import { QueueState } from "@/components/ui/queue-state"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { ListedMail } from "@/lib/server/mail/mail-queue"
import { resendMailAction } from "../actions"

const STATES = {
  sent: { label: "Sent", tone: "ok" },
  waiting: { label: "Waiting", tone: "warn" },
  given_up: { label: "Given up", tone: "danger" },
} as const

const COLUMNS: readonly Column<ListedMail>[] = [
  { head: "Queued (UTC)", cell: ({ createdAt }) => <Time at={createdAt} as="minute" /> },
  { head: "Mail", className: "font-medium", cell: ({ label }) => label },
  {
    head: "To",
    cell: ({ to, accountId }) => (
      <TextLink alone href={`/operator/accounts/${accountId}`} className="wrap-anywhere">
        {to}
      </TextLink>
    ),
  },
  {
    head: "State",
    cell: ({ state, nextAt }) => <QueueState {...STATES[state]} nextAt={nextAt} />,
  },
  { head: "Attempts", align: "right", cell: ({ attempts }) => attempts },
  {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (mail) =>
      mail.state === "given_up" ? (
        <RowAction
          id={mail.id}
          schema={async () => (await import("@/lib/shared/operator/forms")).OneMail}
          action={resendMailAction}
          label={`Send the mail to ${mail.to} again`}
          pendingLabel="Sending…"
          focusId="mails"
        >
          Send again
        </RowAction>
      ) : null,
  },
]

export function MailList({ mails }: { mails: ListedMail[] }) {
  return (
    <section id="mails" tabIndex={-1} aria-label="Queued mails" className="outline-none">
      <Table caption="Queued mails" columns={COLUMNS} rows={mails} rowKey={({ id }) => id} />
    </section>
  )
}
