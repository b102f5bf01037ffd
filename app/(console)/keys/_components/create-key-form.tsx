"use client"
import { startTransition } from "react"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { DialogActions, DialogCancel } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioGroup } from "@/components/ui/radio-group"
import { formatExactUsd, inputUsd } from "@/lib/shared/format"
import { keepKeyDraft } from "@/lib/shared/keys/key-draft"
import type { KeyRules } from "@/lib/shared/keys/key-rules"
import { KEY_TEXT_FIELDS, KEY_TEXT_NAMES, mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { planLimit, type SpendSample, suggestLimit } from "@/lib/shared/keys/plan-limit"
import type { CreatedKey, KeyDraft, KeySummary } from "@/lib/shared/keys/schema"
import { TAGS_FIELD } from "@/lib/shared/tags/tags"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { DAY_OR_NEVER, ExpiryField } from "../../_components/expiry-field"
import { createKeyAction } from "../actions"

const PERIODS = [
  { value: "none", label: "None" },
  { value: "daily", label: "Daily" },
  { value: "lifetime", label: "Lifetime" },
] as const

const HINTS: Record<string, string> = {
  none: "The key can spend the whole balance. You cannot change this later.",
  daily: "The limit resets at 00:00 UTC. You cannot change it later.",
  lifetime: "The key stops working once the limit is spent. You cannot change it later.",
}

interface CreateKeyFormProps {
  /** The key to copy settings from; null for an empty form. */
  from: KeySummary | null
  /** What was typed before a confirmation by e-mail; null for an empty form. */
  draft: KeyDraft | null
  sample: SpendSample
  rules: KeyRules
  onPending: (pending: boolean) => void
  onCreated: (created: CreatedKey) => void
}

/** Returns the limit that the form starts with: that of the copied key, the account's default, or a daily one that the planner suggests. */
function initialLimit(from: KeySummary | null, sample: SpendSample, { standard, maxUsd }: KeyRules): KeyDraft["limit"] {
  if (!from && standard) return { period: standard.period, amountUsd: inputUsd(standard.amountUsd) }
  if (!from) return { period: "daily", amountUsd: suggestLimit(sample, maxUsd) }
  return from.limitUsd && from.period ? { period: from.period, amountUsd: inputUsd(from.limitUsd) } : null
}

/** Returns the initial values. Leaves out an expiry date in the past, which would create an expired key. */
function initialValues(from: KeySummary | null, sample: SpendSample, rules: KeyRules) {
  const limit = initialLimit(from, sample, rules)
  const expires = from?.expiresAt && Date.parse(from.expiresAt) > Date.now() ? from.expiresAt.slice(0, 10) : null
  const { models = [], routes = [], networks = [], tags = [] } = from ?? {}
  const lists = { models, routes, networks: networks.join(" "), tags: tags.join(" ") }
  return {
    name: from?.name ?? "",
    limit,
    expiresAt: expires,
    ...lists,
    ...mapKeyTexts((name) => from?.[name] ?? ""),
  }
}

function useCreateKeyForm({ from, draft, sample, rules, onPending, onCreated }: CreateKeyFormProps) {
  const values = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/schema")).CreateKeyInput,
    defaultValues: draft ?? initialValues(from, sample, rules),
    action: async (input) => {
      onPending(true)
      return createKeyAction(input).finally(() => onPending(false))
    },
    onDone: onCreated,
  })
  const { form } = values
  const choosePeriod = (period: string) => {
    const amountUsd = form.getValues("limit")?.amountUsd ?? suggestLimit(sample, rules.maxUsd)
    form.clearErrors("limit")
    form.setValue("limit", period === "daily" || period === "lifetime" ? { period, amountUsd } : null)
  }
  return { ...values, choosePeriod }
}

export function CreateKeyForm(props: CreateKeyFormProps) {
  const { form, submit, formError, pending, choosePeriod } = useCreateKeyForm(props)
  const { errors } = form.formState
  const limit = form.watch("limit")
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <ConfirmOrError
        error={formError}
        submitLabel="Create key"
        returnTo={() => {
          keepKeyDraft(form.getValues())
          return "/keys?resume=key"
        }}
      />
      <FormField form={form} name="name" label="Name" hint="Where you will use it, such as Production." required />
      <RadioGroup
        label="Spend limit"
        name="limit"
        // With a maximum, a key without a limit is refused.
        options={props.rules.maxUsd === null || !limit ? PERIODS : PERIODS.filter(({ value }) => value !== "none")}
        defaultValue={limit?.period ?? "none"}
        onChange={({ target }) => startTransition(() => choosePeriod(target.value))}
        hint={HINTS[limit?.period ?? "none"]}
        error={errors.limit?.message ?? errors.limit?.period?.message}
      />
      {limit ? (
        <>
          <Field
            label="Amount in USD"
            hint={
              props.rules.maxUsd === null ? undefined : `At most ${formatExactUsd(props.rules.maxUsd)} in this account.`
            }
            error={errors.limit?.amountUsd?.message}
            required
          >
            <Input
              {...form.register("limit.amountUsd")}
              inputMode="decimal"
              autoComplete="off"
              className="tabular-nums"
            />
          </Field>
          <LimitPlanner amountUsd={limit.amountUsd} period={limit.period} sample={props.sample} />
        </>
      ) : null}
      <ExpiryField
        {...form.register("expiresAt", DAY_OR_NEVER)}
        what="key"
        day={form.watch("expiresAt")}
        error={errors.expiresAt?.message}
      />
      {KEY_TEXT_NAMES.map((name) => (
        <FormField key={name} form={form} name={name} {...KEY_TEXT_FIELDS[name]} />
      ))}
      <FormField form={form} name="tags" {...TAGS_FIELD} />
      <DialogActions>
        <DialogCancel />
        <Button type="submit" pending={pending} pendingLabel="Creating…">
          Create key
        </Button>
      </DialogActions>
    </form>
  )
}

interface LimitPlannerProps {
  amountUsd: string
  period: "daily" | "lifetime"
  sample: SpendSample
}

/** Shows about how many decisions the typed limit pays for. A minimum height keeps the form from moving during typing. */
function LimitPlanner({ amountUsd, period, sample }: LimitPlannerProps) {
  return (
    <p aria-live="polite" className="min-h-10 rounded-md bg-sunken px-3 py-2.5 text-sm">
      {planLimit(amountUsd, period, sample) ?? (
        <span className="text-ink-muted">Enter an amount to see how many decisions it pays for.</span>
      )}
    </p>
  )
}
