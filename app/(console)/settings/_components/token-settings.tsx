"use client"
import { useState } from "react"
import { ActionButton } from "@/components/form/action-button"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { CopyButton } from "@/components/ui/copy-button"
import { FieldError } from "@/components/ui/field"
import { TextLink } from "@/components/ui/text-link"
import type { AccountToken, CreatedAccountToken } from "@/lib/shared/accounts/schema"
import { LASTING_SCOPES, TOKEN_SCOPE_NAMES, TOKEN_SCOPES } from "@/lib/shared/accounts/token-scopes"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { DAY_OR_NEVER, ExpiryField } from "../../_components/expiry-field"
import { createTokenAction, revokeTokenAction } from "../actions"
import { TokenTable } from "./tokens-view"

const revoke = ({ id, name }: AccountToken) => (
  <ActionButton
    action={revokeTokenAction}
    input={{ id }}
    label={`Revoke the token ${name}`}
    pendingLabel="Revoking…"
    size="sm"
    focusId="tokens"
  >
    Revoke
  </ActionButton>
)

interface TokenSettingsProps {
  tokens: AccountToken[]
  /** The day at whose end a new token expires, unless the user chooses another. */
  expiryDay: string
}

/** Lists the account's tokens, and creates one. The new secret is shown once, in this component's state only. */
export function TokenSettings({ tokens, expiryDay }: TokenSettingsProps) {
  const [created, setCreated] = useState<CreatedAccountToken | null>(null)
  return (
    <section
      id="tokens"
      tabIndex={-1}
      aria-labelledby="tokens-title"
      className="flex flex-col gap-4 border-line border-t py-3 outline-none md:py-6"
    >
      <div>
        <h2 id="tokens-title" className="font-semibold text-lg">
          Account tokens
        </h2>
        <p className="max-w-text text-ink-muted text-sm">
          For programs that watch or manage this account. A token cannot pay for decisions, but one that manages keys
          can create keys that do. It can change only what its creator’s role still may.{" "}
          <TextLink href="/docs/billing#watch-the-account-from-a-program">How to use one</TextLink>
        </p>
      </div>
      <TokenTable tokens={tokens} actions={revoke} />
      {created ? (
        <Alert tone="ok" role="status" title={`Copy the token “${created.name}” now. You won't see it again.`}>
          <span className="flex flex-wrap items-center gap-2">
            <code className="break-all font-mono">{created.token}</code>
            <CopyButton text={created.token} ariaLabel="Copy the token" />
          </span>
        </Alert>
      ) : null}
      <CreateToken expiryDay={expiryDay} onCreated={setCreated} />
    </section>
  )
}

interface CreateTokenProps {
  expiryDay: string
  onCreated: (created: CreatedAccountToken) => void
}

function CreateToken({ expiryDay, onCreated }: CreateTokenProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/accounts/schema")).CreateTokenInput,
    defaultValues: { name: "", expiresAt: expiryDay as string | null, rights: [...LASTING_SCOPES] },
    action: createTokenAction,
    onDone: (created) => {
      form.reset()
      onCreated(created)
    },
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-lg flex-col gap-3">
      <ConfirmOrError error={formError} submitLabel="Create token" />
      <FormField form={form} name="name" label="Name of a new token" hint="Where you will use it, such as Dashboard." />
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 font-medium">What it may do</legend>
        {TOKEN_SCOPE_NAMES.map((scope) => (
          <Checkbox key={scope} value={scope} {...form.register("rights")} label={TOKEN_SCOPES[scope]} />
        ))}
        <FieldError>{form.formState.errors.rights?.message}</FieldError>
      </fieldset>
      <ExpiryField
        {...form.register("expiresAt", DAY_OR_NEVER)}
        what="token"
        day={form.watch("expiresAt")}
        error={form.formState.errors.expiresAt?.message}
      />
      <Button type="submit" variant="secondary" className="self-start" pending={pending} pendingLabel="Creating…">
        Create token
      </Button>
    </form>
  )
}
