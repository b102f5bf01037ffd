import { ActionButton } from "@/components/form/action-button"
import { EmptyState } from "@/components/ui/empty-state"
import { QueueState } from "@/components/ui/queue-state"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { WebhookDelivery, WebhookFault } from "@/lib/shared/webhooks/schema"
import { resendDeliveryAction } from "../actions"

const FAULTS: Record<WebhookFault, string> = {
  network: "No reply. The receiver needs a public address, a trusted certificate, and has 10 s to reply",
  secret: "The secret cannot be read. Replace it, or add the Slack address again",
}

/** Returns the result of the last attempt as text. */
function replyOf({ status, fault, attempts }: WebhookDelivery): string {
  if (fault) return FAULTS[fault]
  if (status === null) return attempts === 0 ? "Not tried yet" : "Being sent"
  if (status >= 300 && status < 400) return `Status ${status}: redirects are not followed`
  return `Status ${status}`
}

const STATES = {
  waiting: { label: "Waiting", tone: "neutral" },
  delivered: { label: "Delivered", tone: "ok" },
  given_up: { label: "Given up", tone: "danger" },
} as const

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { head: "Created (UTC)", phone: "end", cell: ({ createdAt }) => <Time at={createdAt} as="minute" /> },
  { head: "Event", phone: "title", cell: ({ type }) => <span className="font-mono text-sm">{type}</span> },
  {
    head: "State",
    phone: "value",
    cell: ({ state, nextAt }) => <QueueState {...STATES[state]} nextAt={nextAt} />,
  },
  { head: "Last reply", phone: "line", className: "sm:max-w-72", cell: replyOf },
  { head: "Attempts", align: "right", wideOnly: true, cell: ({ attempts }) => attempts },
  {
    head: "Address",
    wideOnly: true,
    className: "sm:max-w-56 max-sm:flex-col max-sm:items-start! max-sm:gap-1! max-sm:text-left!",
    cell: ({ url }) => <span className="wrap-anywhere text-sm">{url}</span>,
  },
]

const resend = ({ id, type, state }: WebhookDelivery) =>
  state === "waiting" ? null : (
    <ActionButton
      action={resendDeliveryAction}
      input={{ id }}
      label={`Send ${type} again`}
      pendingLabel="Sending…"
      size="sm"
      focusId="deliveries"
    >
      Send again
    </ActionButton>
  )

interface DeliveryListProps {
  deliveries: WebhookDelivery[]
  mayManage: boolean
}

/** Lists the messages to webhooks. With `mayManage`, each that has ended can be sent again. */
export function DeliveryList({ deliveries, mayManage }: DeliveryListProps) {
  return (
    <Section
      id="deliveries"
      title="Messages"
      hint="The latest 50 of the last 30 days. A failed message is retried for about two days."
    >
      <Table
        caption="Messages"
        columns={COLUMNS}
        rows={deliveries}
        rowKey={({ id }) => id}
        actions={mayManage ? resend : undefined}
        empty={
          <EmptyState title="No messages yet">
            {mayManage
              ? "Choose “Send a test” in the menu of a webhook above."
              : "No message was sent in the last 30 days."}
          </EmptyState>
        }
      />
    </Section>
  )
}
