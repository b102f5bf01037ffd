"use client"
import { useState } from "react"
import { v4 } from "uuid"
import { leaveFor, useAction } from "@/components/form/call-action"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import type { PauseReason } from "@/lib/shared/billing/auto-topup"
import { cardName } from "@/lib/shared/billing/saved-card"
import { formatEarliest, formatUsd } from "@/lib/shared/format"
import { ConfirmOrError } from "../../../_components/confirm/confirm-or-error"
import { startTopupAction } from "../../actions"

const CAUSES: Record<PauseReason, string> = {
  dispute: "A payment is disputed",
  authentication: "The bank asked for a confirmation that only you can give",
  declined: "The bank declined the card",
  refused: "The card can no longer be charged",
}

interface StateNoticeProps {
  auto: AutoTopup
  /** Whether a payment is disputed and the dispute is open; null when Stripe is unreachable or top-ups are off. */
  isDisputed: boolean | null
  mayChange: boolean
  mayPay: boolean
}

/** Explains why automatic top-up is paused or off, or when it charges next while the balance is low. Renders nothing otherwise. */
export function StateNotice({ auto, isDisputed, mayChange, mayPay }: StateNoticeProps) {
  const { state, pauseReason, terms, isCapped } = auto
  const topUp = mayPay ? (
    <LinkButton href="/billing/top-up" variant="secondary" size="sm">
      Top up
    </LinkButton>
  ) : null
  if (pauseReason === "dispute" || (isDisputed && state === "off"))
    return <Disputed isPaused={state === "paused"} isDisputed={isDisputed} topUp={topUp} />
  if (state === "paused" && pauseReason && terms)
    return (
      <Failed
        auto={auto}
        cause={CAUSES[pauseReason]}
        amountUsd={terms.amountUsd}
        mayComplete={mayChange}
        topUp={topUp}
      />
    )
  if (state === "on" && isCapped && terms)
    return (
      <Alert tone="warn" title="This month's maximum is reached" action={topUp}>
        Automatic top-ups charged {formatUsd(auto.chargedThisMonthUsd)} of {formatUsd(terms.capUsd)}. They continue on
        the first day of the next month, at 00:00 UTC, or with a higher maximum.
      </Alert>
    )
  if (state === "on" && auto.isLow) return <LowWhileOn auto={auto} />
  return null
}

interface DisputedProps {
  isPaused: boolean
  isDisputed: boolean | null
  topUp: React.ReactNode
}

function Disputed({ isPaused, isDisputed, topUp }: DisputedProps) {
  if (isDisputed === false)
    return (
      <Alert tone="warn" title="Paused because a payment was disputed" action={topUp}>
        The dispute is settled. Your card is not charged until an owner turns automatic top-up on again.
      </Alert>
    )
  const title = isPaused ? "Paused because a payment is disputed" : "A payment is disputed"
  return (
    <Alert tone="warn" title={title} action={topUp}>
      Your card is not charged. Once the dispute is settled, an owner can turn automatic top-up on
      {isPaused ? " again" : ""}.
    </Alert>
  )
}

/** Says when the card is charged, while the balance is low and automatic top-up is on. */
function LowWhileOn({ auto: { card, terms, isCharging, nextChargeAt } }: { auto: AutoTopup }) {
  if (isCharging)
    return <Alert title="A charge is in progress">Credit is added as soon as the bank confirms the charge.</Alert>
  if (!nextChargeAt || !terms || !card) return null
  return (
    <Alert title={`Next charge at the earliest at ${formatEarliest(new Date(nextChargeAt))}`}>
      The balance is at or below {formatUsd(terms.thresholdUsd)}. Two charges are at least 10 minutes apart, also after
      one that failed. Then the {cardName(card)} is charged {formatUsd(terms.amountUsd)}.
    </Alert>
  )
}

interface FailedProps {
  auto: AutoTopup
  cause: string
  amountUsd: string
  mayComplete: boolean
  topUp: React.ReactNode
}

function Failed({ auto: { card, nextChargeAt }, cause, amountUsd, mayComplete, topUp }: FailedProps) {
  const whole = formatUsd(amountUsd).replace(/[$,]/g, "")
  const [attempt] = useState(() => v4())
  const { run, error, pending } = useAction(startTopupAction, ({ checkoutUrl }) => leaveFor(checkoutUrl))
  const label = `Pay ${formatUsd(amountUsd)} and continue`
  const complete = (
    <Button
      pending={pending}
      pendingLabel="Opening checkout…"
      onClick={() => run({ attempt, amountUsd: whole, saveCard: true })}
    >
      {label}
    </Button>
  )
  return (
    <div className="flex flex-col gap-3">
      <ConfirmOrError error={error} submitLabel={label} />
      <Alert tone="danger" title="Automatic top-up is paused" action={mayComplete ? complete : topUp}>
        {cause}
        {card ? ` (${cardName(card)})` : ""}, so no credit was added. Pay now, with this card or another one. The card
        that you pay with is saved and charged from then on. A card that you only replace turns automatic top-up on
        again too
        {nextChargeAt ? `, with the next charge at ${formatEarliest(new Date(nextChargeAt))} at the earliest` : ""}.
      </Alert>
    </div>
  )
}
