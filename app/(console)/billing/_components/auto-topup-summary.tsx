import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { LinkButton } from "@/components/ui/link-button"
import { TextLink } from "@/components/ui/text-link"
import type { AutoTopup } from "@/lib/server/billing/auto-topup"
import { cardName } from "@/lib/shared/billing/saved-card"
import { formatEarliest, formatUsd } from "@/lib/shared/format"

const PAGE = "/billing/auto-top-up"

interface AutoTopupSummaryProps {
  auto: AutoTopup
  /** Whether to link to the page that changes it. */
  mayOpen: boolean
}

/** Shows in a few lines what automatic top-up does, or an alert while it is paused or at this month's maximum. */
export function AutoTopupSummary({ auto, mayOpen }: AutoTopupSummaryProps) {
  const { state, pauseReason, terms, card, isCapped, isLow, isCharging, nextChargeAt } = auto
  if (state === "paused" || (state === "on" && isCapped))
    return (
      <Alert
        tone={state === "paused" && pauseReason !== "dispute" ? "danger" : "warn"}
        title={state === "paused" ? "Automatic top-up is paused" : "Automatic top-up has reached this month's maximum"}
        className="max-w-text"
        action={
          mayOpen ? (
            <LinkButton href={PAGE} variant="secondary" size="sm">
              Open automatic top-up
            </LinkButton>
          ) : null
        }
      >
        Requests are refused once the balance is used up.
      </Alert>
    )
  return (
    <section aria-labelledby="auto-top-up" className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <h2 id="auto-top-up" className="font-semibold text-lg">
          Automatic top-up
        </h2>
        <Badge tone={state === "on" ? "ok" : "neutral"}>{state === "on" ? "On" : "Off"}</Badge>
      </div>
      <p className="max-w-prose text-ink-muted text-sm">
        {state === "on" && terms && card
          ? `Charges the ${cardName(card)} ${formatUsd(terms.amountUsd)} when the balance is at or below ${formatUsd(terms.thresholdUsd)}, at most ${formatUsd(terms.capUsd)} per month. `
          : "Adds credit from a saved card when the balance is low, so that requests are not refused. "}
        {state === "on" && isLow && !isCharging && nextChargeAt
          ? `Next charge at the earliest at ${formatEarliest(new Date(nextChargeAt))}. `
          : ""}
        {mayOpen ? <TextLink href={PAGE}>{state === "on" ? "Change" : "Set up automatic top-up"}</TextLink> : null}
      </p>
    </section>
  )
}
