"use client"
import { useState } from "react"
import { ActionButton } from "@/components/form/action-button"
import { FormError } from "@/components/form/form-error"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { CopyButton } from "@/components/ui/copy-button"
import { EmptyState } from "@/components/ui/empty-state"
import { FieldError } from "@/components/ui/field"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { CreatedAccountToken } from "@/lib/shared/accounts/schema"
import { OPERATOR_SCOPE_WORDS, OPERATOR_SCOPES } from "@/lib/shared/operator/operator-scopes"
import type { OperatorToken } from "@/lib/shared/operator/tokens"
import { DAY_OR_NEVER, ExpiryField } from "../../../_components/expiry-field"
import { createOperatorTokenAction, revokeOperatorTokenAction } from "../actions"

const STATUS = {
  active: { tone: "ok", label: "Active" },
  expired: { tone: "warn", label: "Expired" },
  ended: { tone: "warn", label: "Ended with its creator's role" },
} as const

const COLUMNS: readonly Column<OperatorToken>[] = [
  {
    head: "Name",
    phone: "title",
    className: "font-medium",
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  { head: "Token", wideOnly: true, cell: ({ masked }) => <span className="font-mono text-sm">{masked}</span> },
  { head: "Scopes", phone: "line", cell: ({ rights }) => <span className="text-sm">{rights.join(", ")}</span> },
  { head: "Created by", className: "break-all", cell: ({ createdBy }) => createdBy ?? "Command line" },
  {
    head: "Status",
    phone: "end",
    cell: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>,
  },
  {
    head: "Expires",
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} as="date" /> : "never"),
  },
  {
    head: "Last used",
    phone: "value",
    phoneLabel: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "never"),
  },
]

const revoke = ({ id, name }: OperatorToken) => (
  <ActionButton
    action={revokeOperatorTokenAction}
    input={{ id }}
    label={`Revoke the token ${name}`}
    pendingLabel="Revoking…"
    size="sm"
    focusId="content"
  >
    Revoke
  </ActionButton>
)

/** Lists the operators' tokens, and creates one. The new secret is shown once, in this component's state only. */
export function TokenList({ tokens, expiryDay }: { tokens: OperatorToken[]; expiryDay: string }) {
  const [created, setCreated] = useState<CreatedAccountToken | null>(null)
  return (
    <div className="flex flex-col gap-8">
      <Table
        caption="Operator tokens"
        columns={COLUMNS}
        rows={tokens}
        rowKey={({ id }) => id}
        actions={revoke}
        empty={<EmptyState title="No tokens">Create one for each program, so that you can revoke it alone.</EmptyState>}
      />
      {created ? (
        <Alert tone="ok" role="status" title={`Copy the token “${created.name}” now. You won't see it again.`}>
          <span className="flex flex-wrap items-center gap-2">
            <code className="break-all font-mono">{created.token}</code>
            <CopyButton text={created.token} ariaLabel="Copy the token" />
          </span>
        </Alert>
      ) : null}
      <CreateToken expiryDay={expiryDay} onCreated={setCreated} />
    </div>
  )
}

interface CreateTokenProps {
  expiryDay: string
  onCreated: (created: CreatedAccountToken) => void
}

function CreateToken({ expiryDay, onCreated }: CreateTokenProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/operator/tokens")).CreateOperatorTokenInput,
    defaultValues: {
      name: "",
      rights: [] as (typeof OPERATOR_SCOPES)[number][],
      expiresAt: expiryDay as string | null,
    },
    action: createOperatorTokenAction,
    onDone: (created) => {
      form.reset()
      onCreated(created)
    },
  })
  const { rights, expiresAt } = form.formState.errors
  return (
    <Section id="new" title="New token">
      <form onSubmit={submit} noValidate className="flex max-w-lg flex-col gap-3">
        <FormError error={formError} />
        <FormField form={form} name="name" label="Name" hint="The program that will use it, such as Deployment." />
        <fieldset className="flex flex-col gap-1">
          <legend className="pb-1 font-medium">Scopes</legend>
          {OPERATOR_SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              {...form.register("rights")}
              label={OPERATOR_SCOPE_WORDS[scope]}
              hint={scope}
            />
          ))}
          <FieldError>{rights?.message}</FieldError>
        </fieldset>
        <ExpiryField
          {...form.register("expiresAt", DAY_OR_NEVER)}
          what="token"
          day={form.watch("expiresAt")}
          error={expiresAt?.message}
        />
        <Button type="submit" variant="secondary" className="self-start" pending={pending} pendingLabel="Creating…">
          Create token
        </Button>
      </form>
    </Section>
  )
}
