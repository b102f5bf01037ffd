"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"
import type { BillingDetails as Details } from "@/lib/shared/billing/billing-details"
import { saveBillingDetailsAction } from "../actions"

/** Sets whom statements and the invoices of later checkouts name. */
export function BillingDetails({ details }: { details: Details }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/billing/billing-details")).BillingDetails}
      defaultValues={details}
      action={saveBillingDetailsAction}
      label="Save billing details"
      className="max-w-md"
      fields={(form) => (
        <>
          <FormField form={form} name="company" label="Company name" autoComplete="organization" />
          <Field label="Address" error={form.formState.errors.address?.message}>
            <Textarea {...form.register("address")} rows={3} autoComplete="street-address" />
          </Field>
          <div className="grid grid-cols-2 gap-3">
            <FormField form={form} name="vatId" label="VAT id" />
            <FormField
              form={form}
              name="purchaseOrder"
              label="Purchase order number"
              hint="Printed on every invoice until you change it."
            />
          </div>
        </>
      )}
    />
  )
}
