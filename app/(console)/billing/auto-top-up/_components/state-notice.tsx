"use client"
import { useState } from "react"
import { v4 } from "uuid"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import { cardName, type PauseReason } from "@/lib/shared/billing/auto-topup"
import { formatUsd } from "@/lib/shared/format"
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
  mayChange: boolean
  mayPay: boolean
}

/** Says why automatic top-up charges nothing now, and offers what continues it. Shows nothing while all is well. */
export function StateNotice({ auto, mayChange, mayPay }: StateNoticeProps) {
  const { state, pauseReason, terms, isCapped } = auto
  const topUp = mayPay ? (
    <LinkButton href="/billing/top-up" variant="secondary" size="sm">
      Top up
    </LinkButton>
  ) : null
  if (state === "paused" && pauseReason === "dispute")
    return (
      <Alert tone="warn" title="Paused because a payment is disputed" action={topUp}>
        Your card is not charged. Once the dispute is settled, turn automatic top-up on again below.
      </Alert>
    )
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
  return null
}

interface FailedProps {
  auto: AutoTopup
  cause: string
  amountUsd: string
  mayComplete: boolean
  topUp: React.ReactNode
}

function Failed({ auto: { card }, cause, amountUsd, mayComplete, topUp }: FailedProps) {
  const whole = formatUsd(amountUsd).replace(/[$,]/g, "")
  const [isLeaving, setIsLeaving] = useState(false)
  const { submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/billing/schema")).StartTopupInput,
    defaultValues: { attempt: v4(), amountUsd: whole, saveCard: true },
    action: startTopupAction,
    onDone: ({ checkoutUrl }) => {
      setIsLeaving(true)
      window.location.assign(checkoutUrl)
    },
  })
  const label = `Pay ${formatUsd(amountUsd)} and continue`
  const complete = (
    <form onSubmit={submit}>
      <Button type="submit" pending={pending || isLeaving} pendingLabel="Opening checkout…">
        {label}
      </Button>
    </form>
  )
  return (
    <div className="flex flex-col gap-3">
      <ConfirmOrError
        error={formError}
        reason="Saving a card needs a recent sign-in."
        submitLabel={label}
        returnTo={() => "/billing/auto-top-up"}
      />
      <Alert tone="danger" title="Automatic top-up is paused" action={mayComplete ? complete : topUp}>
        {cause}
        {card ? ` (${cardName(card)})` : ""}, so no credit was added. Pay now, with this card or another one. The card
        that you pay with is saved and charged from then on.
      </Alert>
    </div>
  )
}
