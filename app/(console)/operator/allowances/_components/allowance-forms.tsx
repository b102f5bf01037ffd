import type { UseFormReturn } from "react-hook-form"
import type { z } from "zod"
import { FormField } from "@/components/form/form-field"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import type { Allowance } from "@/lib/server/accounts/allowance-rules"
import { inputUsd } from "@/lib/shared/format"
import { ALLOWANCE_PER, ALLOWANCE_PER_NAMES } from "@/lib/shared/operator/allowance-per"
import type { SetAllowanceForm } from "@/lib/shared/operator/allowances"
import { dialogForm } from "../../../_components/form-dialog"
import { endAllowanceAction, setAllowanceAction } from "../actions"

type Form = UseFormReturn<z.input<typeof SetAllowanceForm>, unknown, z.output<typeof SetAllowanceForm>>

const schema = async () => (await import("@/lib/shared/operator/allowances")).SetAllowanceForm

const amountFields = (form: Form) => (
  <>
    <FormField form={form} name="amountUsd" label="Amount in USD a month" inputMode="decimal" required />
    <Checkbox
      {...form.register("carriesOver")}
      label="Carry over"
      hint="Without it, what was not spent is debited at the end of each month."
    />
  </>
)

export const NEW = dialogForm({
  title: "Add an allowance",
  description:
    "Of a domain, each person brings the allowance to one account: the first that they own or, for members, are in.",
  schema,
  defaultValues: { target: "", per: "account", amountUsd: "", carriesOver: false },
  action: setAllowanceAction,
  done: "The allowance was added. It is credited within a minute.",
  submitLabel: "Add allowance",
  pendingLabel: "Adding…",
  fields: (form: Form) => (
    <>
      <FormField form={form} name="target" label="Domain or account id" spellCheck={false} required />
      <Field label="For" error={form.formState.errors.per?.message} required>
        <Select {...form.register("per")}>
          {ALLOWANCE_PER_NAMES.map((per) => (
            <option key={per} value={per}>
              {ALLOWANCE_PER[per]}
            </option>
          ))}
        </Select>
      </Field>
      {amountFields(form)}
    </>
  ),
})

export const changeForm = ({ target, email, per, amountUsd, carriesOver }: Allowance) =>
  dialogForm({
    title: "Change the allowance",
    description: `For ${ALLOWANCE_PER[per]} of ${email ?? target}, from the next credit on. What was credited this month stays as it is.`,
    schema,
    defaultValues: { target, per, amountUsd: inputUsd(amountUsd), carriesOver },
    action: setAllowanceAction,
    done: "The allowance was changed.",
    submitLabel: "Change allowance",
    pendingLabel: "Changing…",
    fields: amountFields,
  })

export const endForm = ({ id, target, email }: Allowance) =>
  dialogForm({
    title: "End the allowance",
    description: `Nothing more is credited for ${email ?? target}. What was credited stays until the end of the month.`,
    defaultValues: { id },
    action: endAllowanceAction,
    done: "The allowance has ended.",
    submitLabel: "End allowance",
    pendingLabel: "Ending…",
  })
