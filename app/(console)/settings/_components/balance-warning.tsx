"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import type { MailSettings as Settings } from "@/lib/shared/accounts/schema"
import { formatExactUsd, inputUsd } from "@/lib/shared/format"
import { warnAtAction } from "../actions"

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
