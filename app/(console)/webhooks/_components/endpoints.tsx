"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { EmptyState } from "@/components/ui/empty-state"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { WEBHOOK_EVENTS, type WebhookEndpoint, type WebhookSecret } from "@/lib/shared/webhooks/schema"
import { useFormDialog } from "../../_components/form-dialog"
import { useAsked } from "../../_components/use-asked"
import { createForm, deleteForm, rotateForm, testForm } from "./endpoint-forms"

const FACTS: readonly Column<WebhookEndpoint>[] = [
  {
    head: "Address",
    phone: "title",
    className: "font-medium",
    cell: ({ url, previousUntil }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere font-mono text-sm">{url}</span>
        {previousUntil ? (
          <span className="font-normal text-ink-muted text-sm">
            The previous secret signs too until <Time at={previousUntil} as="minute" /> UTC
          </span>
        ) : null}
      </span>
    ),
  },
  {
    head: "Called when",
    cell: ({ events }) => (
      <ul className="flex flex-col text-sm">
        {events.map((event) => (
          <li key={event}>{WEBHOOK_EVENTS[event]}</li>
        ))}
      </ul>
    ),
  },
  {
    head: "Added by",
    phone: "line",
    phoneLabel: true,
    className: "break-all",
    cell: ({ createdBy }) => createdBy ?? "Unknown",
  },
  { head: "Added", phone: "end", wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
]

/** Lists the account's endpoints, each with a menu of actions. A new secret is shown once, in this component's state only. */
export function Endpoints({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  const { show, dialog } = useFormDialog()
  const [created, setCreated] = useState<WebhookSecret | null>(null)
  const open: typeof show = (form, opener) => {
    setCreated(null)
    show(form, opener)
  }
  const create = () => open(createForm(setCreated))
  useAsked("add", create)
  return (
    <section aria-label="Webhooks" className="flex flex-col gap-4">
      <div role="status" className="empty:hidden">
        {created ? (
          <Alert tone="ok" title="Copy the secret now. You won't see it again.">
            <span className="flex flex-wrap items-center gap-2">
              <code className="break-all font-mono">{created.secret}</code>
              <CopyButton text={created.secret} ariaLabel="Copy the secret" />
            </span>
            <span className="mt-1 block">Your program verifies each message with it.</span>
          </Alert>
        ) : null}
      </div>
      <Table
        caption="Webhooks"
        columns={FACTS}
        rows={endpoints}
        rowKey={({ id }) => id}
        actions={(endpoint) => (
          <RowMenu
            label={`Actions for ${endpoint.url}`}
            actions={[
              { label: "Send a test", onSelect: (opener) => open(testForm(endpoint), opener) },
              { label: "Replace the secret", onSelect: (opener) => open(rotateForm(endpoint, setCreated), opener) },
              { label: "Delete", isDanger: true, onSelect: (opener) => open(deleteForm(endpoint), opener) },
            ]}
          />
        )}
        empty={
          <EmptyState title="No webhooks" action={<Button onClick={create}>Add webhook</Button>}>
            Add the https address of your program. It is called when the balance is low, a key has reached its limit, or
            the alias moved.
          </EmptyState>
        }
      />
      {endpoints.length > 0 ? (
        <Button variant="secondary" className="self-start" onClick={create}>
          Add webhook
        </Button>
      ) : null}
      {dialog}
    </section>
  )
}
