"use client"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
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
    cell: ({ state, nextAt }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
        <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
        {nextAt ? (
          <span className="text-ink-muted text-sm">
            next at <Time at={nextAt} as="minute" />
          </span>
        ) : null}
      </span>
    ),
  },
  { head: "Attempts", align: "right", cell: ({ attempts }) => attempts },
  {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (mail) => (mail.state === "given_up" ? <Resend mail={mail} /> : null),
  },
]

export function MailList({ mails }: { mails: ListedMail[] }) {
  return (
    <section id="mails" tabIndex={-1} aria-label="Queued mails" className="outline-none">
      <Table caption="Queued mails" columns={COLUMNS} rows={mails} rowKey={({ id }) => id} />
    </section>
  )
}

function Resend({ mail: { id, to } }: { mail: ListedMail }) {
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/operator/forms")).OneMail,
    defaultValues: { id },
    action: resendMailAction,
    // The button is removed while it has the focus.
    onDone: () => document.getElementById("mails")?.focus(),
  })
  return (
    <form onSubmit={submit} className="inline-flex flex-wrap items-center justify-end gap-2">
      <FormError error={formError} />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        aria-label={`Send the mail to ${to} again`}
        pending={pending}
        pendingLabel="Sending…"
      >
        Send again
      </Button>
    </form>
  )
}
