"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { RadioGroup } from "@/components/ui/radio-group"
import { inputUsd } from "@/lib/shared/format"
import type { KeyRules as Rules } from "@/lib/shared/keys/key-rules"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { setKeyRulesAction } from "../actions"

const LABEL = "Save limits of new keys"

const PERIODS = [
  { value: "daily", label: "Daily" },
  { value: "lifetime", label: "Lifetime" },
] as const

/** Sets the limit that the form for a new key starts with, and the highest that it accepts. */
export function KeyRules({ rules: { standard, maxUsd } }: { rules: Rules }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/keys/key-rules")).SetKeyRulesInput}
      defaultValues={{
        defaultUsd: standard ? inputUsd(standard.amountUsd) : "",
        defaultPeriod: standard?.period ?? "daily",
        maxUsd: maxUsd ? inputUsd(maxUsd) : "",
      }}
      action={setKeyRulesAction}
      label={LABEL}
      className="max-w-md"
      renderError={(error) => <ConfirmOrError error={error} submitLabel={LABEL} />}
      fields={(form) => (
        <>
          <FormField
            form={form}
            name="defaultUsd"
            label="A new key starts with this limit, in USD"
            hint="Leave it empty for a daily limit of about 10,000 decisions like your last ones."
            inputMode="decimal"
          />
          <RadioGroup label="The limit counts" options={PERIODS} {...form.register("defaultPeriod")} />
          <FormField
            form={form}
            name="maxUsd"
            label="Highest limit of a new key, in USD"
            hint="With it, every new key needs a limit. Leave it empty to also allow keys without one."
            inputMode="decimal"
          />
        </>
      )}
    />
  )
}
