import { ActionButton } from "@/components/form/action-button"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { QueueState } from "@/components/ui/queue-state"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { type ListedMail, listQueuedMail } from "@/lib/server/mail/mail-queue"
import { hasRight } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { MailView } from "@/lib/shared/operator/search"
import { AccountLink, AccountScope } from "../_components/account-scope"
import { lookAtListOf } from "../_components/look-at"
import { operatorTitle } from "../_components/operator-title"
import { resendMailAction } from "./actions"

export const generateMetadata = () => operatorTitle("Mail")

const STATES = {
  sent: { label: "Sent", tone: "ok" },
  waiting: { label: "Waiting", tone: "warn" },
  given_up: { label: "Given up", tone: "danger" },
} as const

const COLUMNS: readonly Column<ListedMail>[] = [
  { head: "Queued (UTC)", phone: "end", cell: ({ createdAt }) => <Time at={createdAt} as="minute" /> },
  { head: "Mail", phone: "title", className: "font-medium", cell: ({ label }) => label },
  { head: "To", phone: "line", cell: ({ to, accountId }) => <AccountLink account={{ id: accountId, email: to }} /> },
  { head: "State", phone: "value", cell: ({ state, nextAt }) => <QueueState {...STATES[state]} nextAt={nextAt} /> },
  { head: "Attempts", align: "right", cell: ({ attempts }) => attempts },
]

const resend = ({ id, to, state }: ListedMail) =>
  state === "given_up" ? (
    <ActionButton
      action={resendMailAction}
      input={{ id }}
      label={`Send the mail to ${to} again`}
      pendingLabel="Sending…"
      size="sm"
      focusId="mails"
    >
      Send again
    </ActionButton>
  ) : null

const PATH = "/operator/mail"

export default async function MailPage({ searchParams }: PageProps<"/operator/mail">) {
  const operator = await requireOperator(PATH)
  const { account } = MailView.parse(await searchParams)
  const accountId = parsePublicId("acc", account)
  if (accountId) await lookAtListOf(account, operator, PATH)
  return (
    <>
      <PageHeader title="Mail">
        Warnings, receipts and notices of the last 30 days. Each is tried for about two days. A mail to an address that
        lost access is tried for 23 hours. Sign-in links are never stored, so they are not listed here.
      </PageHeader>
      {accountId ? <AccountScope of="mails" account={account} all={PATH} /> : null}
      <section id="mails" tabIndex={-1} aria-label="Queued mails" className="outline-none">
        <Table
          caption="Queued mails"
          columns={COLUMNS}
          rows={await listQueuedMail(runtime(), operator, { accountId })}
          rowKey={({ id }) => id}
          actions={hasRight(operator, "service.operate") ? resend : undefined}
          empty={
            <EmptyState title="No queued mail">
              Mails appear here when something happens to an account, such as a low balance or a new key.
            </EmptyState>
          }
        />
      </section>
    </>
  )
}
