"use client"
import type { ReactNode } from "react"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { FieldError } from "@/components/ui/field"
import { sayDone } from "@/components/ui/toast-host"
import { KEY_ROUTE_NAMES, KEY_ROUTES } from "@/lib/shared/keys/key-routes"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { restrictKeyAction } from "../../actions"

interface KeyRestrictionsProps {
  entry: KeySummary
  /** The ids that requests can name, and those that the key is restricted to. */
  models: readonly string[]
}

/** Restricts a key to models, routes and addresses. Without a choice, all are allowed. */
export function KeyRestrictions({ entry: { id, models: chosen, routes, networks }, models }: KeyRestrictionsProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/restrictions")).RestrictKeyInput,
    defaultValues: { id, models: chosen, routes, networks: networks.join(" ") },
    action: restrictKeyAction,
    onDone: () => sayDone("The restrictions were saved."),
  })
  const { errors } = form.formState
  return (
    <section aria-labelledby="restrict-title" className="flex flex-col gap-4 border-line border-t pt-5">
      <div>
        <h2 id="restrict-title" className="font-semibold text-lg">
          Restrict this key
        </h2>
        <p className="max-w-text text-ink-muted">
          Anyone who finds the secret can use it only here. Changes apply within two seconds.
        </p>
      </div>
      <form onSubmit={submit} noValidate className="flex max-w-lg flex-col gap-5">
        <Choices legend="Models" hint="Without a choice, all. Another model is refused with 400 invalid_model.">
          {models.map((model) => (
            <Checkbox key={model} {...form.register("models")} value={model} label={model} />
          ))}
          <FieldError>{errors.models?.message}</FieldError>
        </Choices>
        <Choices legend="Routes" hint="Without a choice, all. Another route is refused with 401 invalid_api_key.">
          {KEY_ROUTE_NAMES.map((route) => (
            <Checkbox key={route} {...form.register("routes")} value={route} label={KEY_ROUTES[route]} />
          ))}
        </Choices>
        <FormField
          form={form}
          name="networks"
          label="Addresses"
          hint="Addresses or ranges such as 203.0.113.7 or 2001:db8::/32, separated by spaces. Empty: all. Others are refused with 401 invalid_api_key."
        />
        <ConfirmOrError error={formError} submitLabel="Save restrictions" />
        <Button type="submit" variant="secondary" className="self-start" pending={pending} pendingLabel="Saving…">
          Save restrictions
        </Button>
      </form>
    </section>
  )
}

function Choices({ legend, hint, children }: { legend: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">{legend}</legend>
      {children}
      <p className="text-ink-muted text-sm">{hint}</p>
    </fieldset>
  )
}
