"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { usePoll } from "@/components/use-poll"
import type { CheckedTopup } from "@/lib/server/billing/check-topup"
import { formatUsd } from "@/lib/shared/format"
import { checkTopupAction } from "../../../actions"

const POLL_EVERY_MS = 1_000
const POLL_FOR_MS = 10 * 60_000
const isOver = (status: string): boolean => status === "paid" || status === "failed" || status === "expired"

/** Polls every second at first and more slowly later, for up to ten minutes or until the payment is over. */
function useTopup(first: CheckedTopup): CheckedTopup {
  const [checked, setChecked] = useState(first)
  const { id, status } = checked.topup
  usePoll(
    !isOver(status),
    (elapsedMs) => (elapsedMs < POLL_FOR_MS ? POLL_EVERY_MS + elapsedMs / 10 : null),
    async () => {
      const result = await checkTopupAction({ id }).catch(() => null)
      if (result?.ok) setChecked(result.data)
    },
  )
  return checked
}

/** The status of one payment, kept up to date without a reload. */
export function TopupProgress({ first }: { first: CheckedTopup }) {
  const { topup, balanceUsd } = useTopup(first)
  const credit = formatUsd(topup.creditUsd)
  const again = <LinkButton href={`/billing/top-up?amount=${Number(topup.creditUsd)}`}>Try again</LinkButton>
  switch (topup.status) {
    case "paid":
      return <Added credit={credit} balanceUsd={balanceUsd} />
    case "failed":
      return (
        <Alert tone="danger" role="status" className="max-w-text" title="The payment failed" action={again}>
          No credit was added. Your bank may know the reason. Try again, or use another payment method.
        </Alert>
      )
    case "expired":
      return (
        <Alert tone="warn" role="status" className="max-w-text" title="This checkout has expired" action={again}>
          You were not charged, and no credit was added.
        </Alert>
      )
    case "processing":
      return (
        <Alert
          role="status"
          className="max-w-text"
          title="Waiting for your bank…"
          action={
            <LinkButton href="/billing" variant="secondary">
              Open billing
            </LinkButton>
          }
        >
          Your bank is still confirming the payment of {credit}. The credit is added as soon as it does. You can close
          this page.
        </Alert>
      )
    default:
      return (
        <Alert
          role="status"
          className="max-w-text"
          title="Waiting for the payment…"
          action={
            <LinkButton href="/billing/top-up" variant="secondary">
              Back to top up
            </LinkButton>
          }
        >
          {credit} is added once Stripe confirms the payment. You can close this page. To finish a checkout that you
          left, go back to the top-up page.
        </Alert>
      )
  }
}

/** Confirms the credit. The next step depends on whether the balance is now above zero. */
function Added({ credit, balanceUsd }: { credit: string; balanceUsd: string }) {
  const isEnough = !/^-|^0\.0+$/.test(balanceUsd)
  const next = (
    <span className="flex flex-wrap gap-2">
      {isEnough ? <LinkButton href="/playground">Run again</LinkButton> : null}
      <LinkButton href="/billing" variant={isEnough ? "secondary" : "primary"}>
        Open billing
      </LinkButton>
    </span>
  )
  return (
    <Alert tone="ok" role="status" title={`${credit} added`} action={next} className="max-w-text">
      Your balance is {formatUsd(balanceUsd)}.
    </Alert>
  )
}
