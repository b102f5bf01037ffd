"use client"
import { startTransition } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { DialogActions } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioGroup } from "@/components/ui/radio-group"
import { formatExactTime, formatExactUsd } from "@/lib/shared/format"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import { type CreatedKey, CreateKeyInput, type KeySummary } from "@/lib/shared/keys/schema"
import { createKeyAction } from "../actions"
import { LimitPlanner } from "./limit-planner"

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
  /** The key that the new one is to be like. */
  from: KeySummary | null
  sample: SpendSample
  onPending: (pending: boolean) => void
  onCreated: (created: CreatedKey) => void
  onCancel: () => void
}

const plainUsd = (usd: string): string => formatExactUsd(usd).replace(/[$,]/g, "")

/** The very moment at which the typed day ends. */
function endText(day: string | null): string {
  const end = new Date(`${day}T23:59:59Z`)
  if (Number.isNaN(end.getTime())) return "The key stops working at the end of that day, UTC."
  return `The key stops working ${formatExactTime(end)}.`
}

/** What the form starts with. A day of expiry that has passed is left out: the new key would be born dead. */
function startingWith(from: KeySummary | null) {
  const limit = from?.limitUsd && from.period ? { period: from.period, amountUsd: plainUsd(from.limitUsd) } : null
  const expires = from?.expiresAt && Date.parse(from.expiresAt) > Date.now() ? from.expiresAt.slice(0, 10) : null
  return { name: from?.name ?? "", limit, expiresAt: expires }
}

/** Name, spend limit and expiry of a new key. */
export function CreateKeyForm({ from, sample, onPending, onCreated, onCancel }: CreateKeyFormProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: CreateKeyInput,
    defaultValues: startingWith(from),
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
        defaultValue={limit?.period ?? "none"}
        onChange={({ target }) => startTransition(() => choosePeriod(target.value))}
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
      {limit ? <LimitPlanner amountUsd={limit.amountUsd} period={limit.period} sample={sample} /> : null}
      <Field
        label="Expires on (optional)"
        hint={`${endText(form.watch("expiresAt"))} Cannot be changed later.`}
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
