"use client"
import { SaveForm } from "@/components/form/save-form"
import { Checkbox } from "@/components/ui/checkbox"
import { keepOutcomesAction } from "../actions"

interface KeepOutcomesProps {
  isOn: boolean
  /** For how many days each outcome is kept. */
  days: number
}

/** Turns the keeping of outcomes on or off. */
export function KeepOutcomes({ isOn, days }: KeepOutcomesProps) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/outcomes/outcome-request")).KeepOutcomesInput}
      defaultValues={{ isOn }}
      action={keepOutcomesAction}
      label="Save outcome setting"
      fields={(form) => (
        <Checkbox
          {...form.register("isOn")}
          label="Keep outcomes"
          hint={`Numbers, types and names of questions are kept for ${days} days. Turning this off deletes them at once.`}
        />
      )}
    />
  )
}
