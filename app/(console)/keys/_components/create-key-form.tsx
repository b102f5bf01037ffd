"use client"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioGroup } from "@/components/ui/radio-group"
import { type CreatedKey, CreateKeyInput } from "@/lib/keys/schema"
import { createKeyAction } from "../actions"

const PERIODS = [
  { value: "none", label: "None" },
  { value: "daily", label: "Daily" },
  { value: "lifetime", label: "Lifetime" },
] as const

const HINTS: Record<string, string> = {
  none: "Spends as long as there is balance. Cannot be changed later.",
  daily: "Starts again at 00:00 UTC. Cannot be changed later.",
  lifetime: "Once spent, the key is used up. Cannot be changed later.",
}

interface CreateKeyFormProps {
  onPending: (pending: boolean) => void
  onCreated: (created: CreatedKey) => void
  onCancel: () => void
}

/** Name, spend limit and expiry of a new key. */
export function CreateKeyForm({ onPending, onCreated, onCancel }: CreateKeyFormProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: CreateKeyInput,
    defaultValues: { name: "", limit: null, expiresAt: null },
    action: async (typed) => {
      onPending(true)
      return createKeyAction(typed).finally(() => onPending(false))
    },
    onDone: onCreated,
  })
  const { errors } = form.formState
  const limit = form.watch("limit")
  const choosePeriod = (period: string) => {
    const amountUsd = form.getValues("limit")?.amountUsd ?? ""
    form.clearErrors("limit")
    form.setValue("limit", period === "daily" || period === "lifetime" ? { period, amountUsd } : null)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FormError error={formError} />
      <Field label="Name" hint="Where it will be used, such as Production." error={errors.name?.message} required>
        <Input {...form.register("name")} autoComplete="off" />
      </Field>
      <RadioGroup
        label="Spend limit"
        name="limit"
        options={PERIODS}
        value={limit?.period ?? "none"}
        onChange={(event) => choosePeriod(event.target.value)}
        hint={HINTS[limit?.period ?? "none"]}
        error={errors.limit?.period?.message}
      />
      {limit ? (
        <Field label="Amount in USD" error={errors.limit?.amountUsd?.message} required>
          <Input
            {...form.register("limit.amountUsd")}
            inputMode="decimal"
            autoComplete="off"
            className="tabular-nums"
          />
        </Field>
      ) : null}
      <Field
        label="Expires on (optional)"
        hint="The key stops working at the end of that day, UTC. Cannot be changed later."
        error={errors.expiresAt?.message}
      >
        <Input type="date" {...form.register("expiresAt", { setValueAs: (value) => value || null })} />
      </Field>
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={pending} pendingLabel="Creating…">
          Create key
        </Button>
      </DialogActions>
    </form>
  )
}
