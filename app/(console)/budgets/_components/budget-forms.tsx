import type { UseFormReturn } from "react-hook-form"
import type { z } from "zod"
import { FormField } from "@/components/form/form-field"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import type { MemberSummary } from "@/lib/shared/accounts/members"
import { inputUsd } from "@/lib/shared/format"
import type { SetBudgetInput } from "@/lib/shared/keys/budget-inputs"
import { ACCOUNT, type Budget, nameOfBudget, subjectOf, TAG } from "@/lib/shared/keys/budgets"
import { dialogForm } from "../../_components/form-dialog"
import { removeBudgetAction, setBudgetAction } from "../actions"

type Form = UseFormReturn<z.input<typeof SetBudgetInput>, unknown, z.output<typeof SetBudgetInput>>

const schema = async () => (await import("@/lib/shared/keys/budget-inputs")).SetBudgetInput

const amountField = (form: Form) => (
  <FormField form={form} name="limitUsd" label="Limit in USD" inputMode="decimal" required />
)

/** `members` can get a budget. */
export const newForm = (members: MemberSummary[]) =>
  dialogForm({
    title: "Set a budget",
    description:
      "It counts what was spent in the current day or month, and applies at once. A budget that exists gets the new limit.",
    schema,
    defaultValues: { of: ACCOUNT, tag: "", period: "monthly", limitUsd: "" },
    action: setBudgetAction,
    done: "The budget was set.",
    submitLabel: "Set budget",
    pendingLabel: "Setting…",
    fields: (form: Form) => (
      <>
        <Field label="For" error={form.formState.errors.of?.message} required>
          <Select {...form.register("of")}>
            <option value={ACCOUNT}>The account</option>
            <option value={TAG}>Requests with a tag</option>
            {members.map(({ id, email }) => (
              <option key={id} value={id}>
                Keys of {email}
              </option>
            ))}
          </Select>
        </Field>
        {form.watch("of") === TAG ? (
          <FormField form={form} name="tag" label="Tag" hint="Such as team=search." spellCheck={false} required />
        ) : null}
        <Field label="Period" error={form.formState.errors.period?.message} required>
          <Select {...form.register("period")}>
            <option value="monthly">Monthly</option>
            <option value="daily">Daily</option>
          </Select>
        </Field>
        {amountField(form)}
      </>
    ),
  })

export const changeForm = (budget: Budget) =>
  dialogForm({
    title: "Change the budget",
    description: `The new ${budget.period} limit of ${nameOfBudget(budget)} applies at once. What was spent stays counted.`,
    schema,
    defaultValues: { ...subjectOf(budget), limitUsd: inputUsd(budget.limitUsd) },
    action: setBudgetAction,
    done: "The budget was changed.",
    submitLabel: "Change budget",
    pendingLabel: "Changing…",
    fields: amountField,
  })

export const removeForm = (budget: Budget) =>
  dialogForm({
    title: "Remove the budget",
    description: `The ${budget.period} budget of ${nameOfBudget(budget)} no longer limits requests. Limits of keys and the balance still do.`,
    defaultValues: subjectOf(budget),
    action: removeBudgetAction,
    done: "The budget was removed.",
    submitLabel: "Remove budget",
    pendingLabel: "Removing…",
  })
