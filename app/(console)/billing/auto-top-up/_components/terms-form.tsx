"use client"
import { ActionButton } from "@/components/form/action-button"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Badge, type BadgeTone } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { Section } from "@/components/ui/section"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import type { TopupTerms } from "@/lib/server/billing/topup-terms"
import type { AutoTopupInput } from "@/lib/shared/billing/auto-topup"
import { cardName } from "@/lib/shared/billing/saved-card"
import { formatEarliest, formatExactUsd, formatUsd, inputUsd } from "@/lib/shared/format"
import { parseUsd } from "@/lib/shared/money"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { turnOffAutoTopupAction, turnOnAutoTopupAction } from "../../actions"

const STATES: Record<AutoTopup["state"], { label: string; tone: BadgeTone; submit: string }> = {
  off: { label: "Off", tone: "neutral", submit: "Turn on" },
  on: { label: "On", tone: "ok", submit: "Save changes" },
  paused: { label: "Paused", tone: "warn", submit: "Turn on again" },
}

interface TermsFormProps {
  auto: AutoTopup
  limits: TopupTerms
  balanceUsd: string
  mayChange: boolean
  /** Whether an open dispute prevents turning on automatic top-up. */
  isDisputed: boolean
}

const FIELDS = [
  { name: "thresholdUsd", label: "When the balance is at or below, in USD" },
  { name: "amountUsd", label: "Add this credit, in USD" },
  { name: "capUsd", label: "Charge at most per month, in USD" },
] as const

/** Shows the terms of automatic top-up. An owner can change them and turn automatic top-up on or off. */
export function TermsForm({ auto, limits, balanceUsd, mayChange, isDisputed }: TermsFormProps) {
  const { state, terms, chargedThisMonthUsd } = auto
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/billing/auto-topup")).AutoTopupInput,
    defaultValues: {
      thresholdUsd: terms ? inputUsd(terms.thresholdUsd) : "5",
      amountUsd: terms ? inputUsd(terms.amountUsd) : "25",
      capUsd: terms ? inputUsd(terms.capUsd) : "100",
    },
    action: turnOnAutoTopupAction,
  })
  const hints = {
    thresholdUsd: "High enough for a few minutes of your requests.",
    amountUsd: `From ${formatExactUsd(limits.minUsd)} to ${formatExactUsd(limits.maxUsd)}${limits.taxed ? ", plus tax" : ""}. Two charges are at least 10 minutes apart.`,
    capUsd: `A month begins at 00:00 UTC on its first day. Charged this month: ${formatUsd(chargedThisMonthUsd)}.`,
  }
  const { label, tone, submit: submitLabel } = STATES[state]
  const maySave = mayChange && !isDisputed
  return (
    <Section
      id="terms"
      title={
        <>
          When and how much <Badge tone={tone}>{label}</Badge>
        </>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {FIELDS.map(({ name, label: fieldLabel }) => (
          <FormField
            key={name}
            form={form}
            name={name}
            label={fieldLabel}
            hint={hints[name]}
            inputMode="decimal"
            disabled={!maySave}
            className="max-w-40"
            required
          />
        ))}
        <ConfirmOrError error={formError} submitLabel={submitLabel} />
        {maySave ? (
          <>
            <Consent auto={auto} values={form.watch()} taxed={limits.taxed} balanceUsd={balanceUsd} />
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                // After a failed payment, the primary button is in the notice above.
                variant={state === "paused" && auto.pauseReason !== "dispute" ? "secondary" : "primary"}
                pending={pending}
                pendingLabel="Saving…"
              >
                {submitLabel}
              </Button>
            </div>
          </>
        ) : null}
      </form>
      {mayChange && state !== "off" ? (
        <div>
          <ActionButton action={turnOffAutoTopupAction} input={{}} pendingLabel="Turning off…">
            Turn off
          </ActionButton>
        </div>
      ) : null}
    </Section>
  )
}

interface ConsentProps {
  auto: AutoTopup
  values: AutoTopupInput
  taxed: boolean
  balanceUsd: string
}

/** Says what the owner allows, with the amounts as they are typed. */
function Consent({ auto, values, taxed, balanceUsd }: ConsentProps) {
  const { card } = auto
  const [threshold, amount, cap] = [values.thresholdUsd, values.amountUsd, values.capUsd].map((text) => parseUsd(text))
  if (!card || threshold == null || amount == null || cap == null) return null
  const isLow = (parseUsd(balanceUsd) ?? 0n) <= threshold
  const isCapped = (parseUsd(auto.chargedThisMonthUsd) ?? 0n) + amount > cap
  return (
    <p className="text-ink-muted text-sm">
      You allow us to charge the {cardName(card)} {formatUsd(values.amountUsd)}
      {taxed ? " plus tax" : ""} whenever the balance is at or below {formatUsd(values.thresholdUsd)}, at most{" "}
      {formatUsd(values.capUsd)}
      {taxed ? " plus tax" : ""} per month, without asking again. You get an e-mail for each charge, and can turn off
      automatic top-up at any time.
      {auto.state !== "on" && isLow && !isCapped
        ? ` The balance is already at or below this amount. ${firstCharge(auto)}`
        : ""}
    </p>
  )
}

const firstCharge = ({ nextChargeAt }: AutoTopup): string =>
  nextChargeAt
    ? `The card is charged at ${formatEarliest(new Date(nextChargeAt))} at the earliest, 10 minutes after the last attempt.`
    : "The card is charged within seconds."
