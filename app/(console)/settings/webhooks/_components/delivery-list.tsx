"use client"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { WebhookDelivery, WebhookFault } from "@/lib/shared/webhooks/schema"
import { resendDeliveryAction } from "../actions"

const FAULTS: Record<WebhookFault, string> = {
  address: "Refused: the address is not on the public internet",
  name: "The name of the address was not found",
  certificate: "The certificate is not trusted",
  timeout: "No reply within 10 s",
  connection: "The connection failed",
  secret: "The secret cannot be read. Replace it",
}

/** Returns the result of the last attempt as text. */
function replyOf({ status, fault, attempts }: WebhookDelivery): string {
  if (fault) return FAULTS[fault]
  if (status === null) return attempts === 0 ? "Not tried yet" : "No reply"
  if (status >= 300 && status < 400) return `Status ${status}: redirects are not followed`
  return `Status ${status}`
}

const STATES = {
  waiting: { label: "Waiting", tone: "neutral" },
  delivered: { label: "Delivered", tone: "ok" },
  given_up: { label: "Given up", tone: "danger" },
} as const

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { head: "Created (UTC)", cell: ({ createdAt }) => <Time at={createdAt} as="minute" /> },
  { head: "Event", cell: ({ type }) => <span className="font-mono text-sm">{type}</span> },
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
  { head: "Last reply", className: "sm:max-w-72", cell: replyOf },
  { head: "Attempts", align: "right", wideOnly: true, cell: ({ attempts }) => attempts },
  {
    head: "Address",
    wideOnly: true,
    className: "sm:max-w-56 max-sm:flex-col max-sm:items-start! max-sm:gap-1! max-sm:text-left!",
    cell: ({ url }) => <span className="wrap-anywhere text-sm">{url}</span>,
  },
  {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (delivery) => (delivery.state === "waiting" ? null : <Resend delivery={delivery} />),
  },
]

export function DeliveryList({ deliveries }: { deliveries: WebhookDelivery[] }) {
  return <Table caption="Messages" columns={COLUMNS} rows={deliveries} rowKey={({ id }) => id} />
}

function Resend({ delivery: { id, type } }: { delivery: WebhookDelivery }) {
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/webhooks/schema")).DeliveryInput,
    defaultValues: { id },
    action: resendDeliveryAction,
    // The row waits from then on, so the button is removed while it has the focus.
    onDone: () => document.getElementById("deliveries")?.focus(),
  })
  return (
    <form onSubmit={submit} className="inline-flex flex-wrap items-center justify-end gap-2">
      <FormError error={formError} />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        aria-label={`Send ${type} again`}
        pending={pending}
        pendingLabel="Sending…"
      >
        Send again
      </Button>
    </form>
  )
}
