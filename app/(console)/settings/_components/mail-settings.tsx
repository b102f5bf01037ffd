"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { MailSettings as Settings } from "@/lib/shared/accounts/schema"
import { formatExactUsd, inputUsd } from "@/lib/shared/format"
import { muteMailAction, warnAtAction } from "../actions"

/** Lets a member choose which mails of this account to get. Members who may pay also set the balance at which it warns. */
export function MailSettings({ settings: { mails, warning } }: { settings: Settings }) {
  return (
    <div className="flex flex-col gap-5">
      {mails.length > 0 ? <Mails mails={mails} /> : null}
      {warning ? <Warning warning={warning} /> : null}
    </div>
  )
}

function Saved({ isShown }: { isShown: boolean }) {
  return (
    <span role="status" className="text-ink-muted text-sm">
      {isShown ? "Saved." : null}
    </span>
  )
}

function Mails({ mails }: Pick<Settings, "mails">) {
  const [isSaved, setIsSaved] = useState(false)
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/accounts/schema")).MuteMailInput,
    defaultValues: { muted: mails.filter(({ isWanted }) => !isWanted).map(({ kind }) => kind) },
    action: muteMailAction,
    onDone: () => setIsSaved(true),
  })
  const muted = form.watch("muted")
  const toggle = (kind: string, isWanted: boolean) => {
    setIsSaved(false)
    form.setValue("muted", isWanted ? muted.filter((other) => other !== kind) : [...muted, kind])
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FormError error={formError} />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2">Mail me when</legend>
        {mails.map(({ kind, label }) => (
          <Checkbox
            key={kind}
            label={label}
            checked={!muted.includes(kind)}
            onChange={({ target }) => toggle(kind, target.checked)}
          />
        ))}
      </fieldset>
      <p className="text-ink-muted text-sm">Mails about the safety of the account cannot be turned off.</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="secondary" pending={pending} pendingLabel="Saving…">
          Save mails
        </Button>
        <Saved isShown={isSaved} />
      </div>
    </form>
  )
}

function Warning({ warning: { ownUsd, nowUsd } }: { warning: NonNullable<Settings["warning"]> }) {
  const [isSaved, setIsSaved] = useState(false)
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/accounts/schema")).WarnAtInput,
    defaultValues: { amountUsd: ownUsd === null ? "" : inputUsd(ownUsd) },
    action: warnAtAction,
    onDone: () => setIsSaved(true),
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-3">
      <FormError error={formError} />
      <Field
        label="Warn at this balance, in USD"
        hint={`The account now warns at ${formatExactUsd(nowUsd)}. Leave it empty for a tenth of the last top-up, or $5.00 before the first.`}
        error={form.formState.errors.amountUsd?.message}
      >
        <Input
          {...form.register("amountUsd", { onChange: () => setIsSaved(false) })}
          inputMode="decimal"
          autoComplete="off"
          className="tabular-nums"
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="secondary" pending={pending} pendingLabel="Saving…">
          Save warning
        </Button>
        <Saved isShown={isSaved} />
      </div>
    </form>
  )
}
