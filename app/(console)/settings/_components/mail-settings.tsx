"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { Checkbox } from "@/components/ui/checkbox"
import type { MailSettings as Settings } from "@/lib/shared/accounts/schema"
import { formatExactUsd, inputUsd } from "@/lib/shared/format"
import { muteMailAction, warnAtAction } from "../actions"

/** Lets a member choose which mails of this account to get. */
export function MailChoice({ mails }: Pick<Settings, "mails">) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/accounts/schema")).MuteMailInput}
      defaultValues={{ muted: mails.filter(({ isWanted }) => !isWanted).map(({ kind }) => kind) }}
      action={muteMailAction}
      label="Save e-mail preferences"
      fields={({ watch, setValue }) => {
        const muted = watch("muted")
        const toggle = (kind: string, isWanted: boolean) =>
          setValue("muted", isWanted ? muted.filter((other) => other !== kind) : [...muted, kind])
        return (
          <>
            <fieldset className="flex flex-col gap-2 pointer-coarse:gap-0">
              <legend className="mb-2">E-mail me when</legend>
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
          </>
        )
      }}
    />
  )
}

/** Lets a member who may pay set the balance at which the account warns. */
export function BalanceWarning({ warning: { ownUsd, nowUsd } }: { warning: NonNullable<Settings["warning"]> }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/accounts/schema")).WarnAtInput}
      defaultValues={{ amountUsd: ownUsd === null ? "" : inputUsd(ownUsd) }}
      action={warnAtAction}
      label="Save threshold"
      className="max-w-md"
      fields={(form) => (
        <FormField
          form={form}
          name="amountUsd"
          label="Warn at this balance, in USD"
          hint={`The account now warns at ${formatExactUsd(nowUsd)}. Leave it empty for a tenth of the last top-up, or $5.00 before the first.`}
          inputMode="decimal"
        />
      )}
    />
  )
}
