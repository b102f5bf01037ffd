"use client"
import { SaveForm } from "@/components/form/save-form"
import { Checkbox } from "@/components/ui/checkbox"
import { setTakingPartAction } from "../actions"

/** Sets whether requests of the account may also be asked of new models. */
export function TakePart({ takesPart }: { takesPart: boolean }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/shadows/take-part")).TakePartInput}
      defaultValues={{ takesPart }}
      action={setTakingPartAction}
      label="Save comparison setting"
      fields={(form) => (
        <Checkbox
          {...form.register("takesPart")}
          label="Compare new models on our requests"
          hint="You pay nothing for it. Only numbers are kept, such as how many answers would change. A refusal takes effect within 2 seconds."
        />
      )}
    />
  )
}
