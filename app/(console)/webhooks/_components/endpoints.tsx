"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { EmptyState } from "@/components/ui/empty-state"
import { RowMenu } from "@/components/ui/row-menu"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { WebhookEndpoint, WebhookSecret } from "@/lib/shared/webhooks/schema"
import { useFormDialog } from "../../_components/form-dialog"
import { useAsked } from "../../_components/use-asked"
import { createForm, deleteForm, rotateForm, slackForm, testForm } from "./endpoint-forms"

const SECTION = {
  id: "webhooks",
  title: "Webhooks and Slack",
  hint: "A webhook sends a signed message to your own program. A Slack address gets a text.",
}

type Open = ReturnType<typeof useFormDialog>["show"]
type Opener = Parameters<Open>[1]

const FACTS: readonly Column<WebhookEndpoint>[] = [
  {
    head: "Address",
    phone: "title",
    className: "font-medium",
    cell: ({ url, previousUntil, turnedOffAt }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere font-mono text-sm">{url}</span>
        {turnedOffAt ? (
          <span className="font-normal text-danger text-sm">
            Turned off on <Time at={turnedOffAt} as="minute" /> UTC: it accepted no message for two days. Send a test to
            turn it on
          </span>
        ) : null}
        {previousUntil ? (
          <span className="font-normal text-ink-muted text-sm">
            The previous secret signs too until <Time at={previousUntil} as="minute" /> UTC
          </span>
        ) : null}
      </span>
    ),
  },
  {
    head: "Kind",
    phone: "line",
    phoneLabel: true,
    cell: ({ kind }) => (kind === "slack" ? "Slack" : "Webhook"),
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

function actionsOf(endpoint: WebhookEndpoint, open: Open, onSecret: (secret: WebhookSecret) => void) {
  const rotate = {
    label: "Replace the secret",
    onSelect: (opener: Opener) => open(rotateForm(endpoint, onSecret), opener),
  }
  return [
    { label: "Send a test", onSelect: (opener: Opener) => open(testForm(endpoint), opener) },
    ...(endpoint.kind === "webhook" ? [rotate] : []),
    { label: "Delete", isDanger: true, onSelect: (opener: Opener) => open(deleteForm(endpoint), opener) },
  ]
}

/** Lists the account's endpoints for somebody who only reads them. */
export function EndpointList({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  return (
    <Section {...SECTION}>
      <Table
        caption="Webhooks and Slack"
        columns={FACTS}
        rows={endpoints}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No webhooks">The account has added no webhook and no Slack address.</EmptyState>}
      />
    </Section>
  )
}

/** Lists the account's endpoints, each with a menu of actions. A new secret is shown once, in this component's state only. */
export function ManagedEndpoints({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  const { show, dialog } = useFormDialog()
  const [created, setCreated] = useState<WebhookSecret | null>(null)
  const open: typeof show = (form, opener) => {
    setCreated(null)
    show(form, opener)
  }
  const create = () => open(createForm(setCreated))
  const addSlack = () => open(slackForm())
  useAsked("add", create)
  useAsked("slack", addSlack)
  const buttons = (
    <span className="flex flex-wrap gap-2">
      <Button variant="secondary" onClick={create}>
        Add webhook
      </Button>
      <Button variant="secondary" onClick={addSlack}>
        Add Slack address
      </Button>
    </span>
  )
  return (
    <Section {...SECTION} {...(endpoints.length > 0 && { action: buttons })}>
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
        caption="Webhooks and Slack"
        columns={FACTS}
        rows={endpoints}
        rowKey={({ id }) => id}
        actions={(endpoint) => (
          <RowMenu label={`Actions for ${endpoint.url}`} actions={actionsOf(endpoint, open, setCreated)} />
        )}
        empty={
          <EmptyState title="No webhooks" action={buttons}>
            Add the https address of your program or of a Slack channel. It is called when the balance is low, a key has
            reached its limit, or the alias moved.
          </EmptyState>
        }
      />
      {dialog}
    </Section>
  )
}
