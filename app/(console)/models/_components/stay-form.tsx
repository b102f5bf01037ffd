"use client"
import { SaveForm } from "@/components/form/save-form"
import { Checkbox } from "@/components/ui/checkbox"
import { setStayAction } from "../actions"

/** Sets whether the alias stays on its earlier model for the account. */
export function StayForm({ stays }: { stays: boolean }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/models/stay")).SetStayInput}
      defaultValues={{ stays }}
      action={setStayAction}
      label="Save model setting"
      fields={(form) => (
        <Checkbox
          {...form.register("stays")}
          label="Keep the alias on the earlier model"
          hint="A change takes effect within 2 seconds. Requests that name a pinned id are not affected."
        />
      )}
    />
  )
}
