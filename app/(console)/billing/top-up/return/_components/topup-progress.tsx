"use client"
import { useEffect, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import type { CheckedTopup } from "@/lib/server/billing/check-topup"
import { formatUsd } from "@/lib/shared/format"
import { checkTopupAction } from "../../../actions"

const ASK_EVERY_MS = 1_000
const ASK_FOR_MS = 10 * 60_000
const isOver = (status: string): boolean => status === "paid" || status === "failed" || status === "expired"

/** Asks until the payment has ended, first every second, then ever more slowly. */
function useTopup(first: CheckedTopup): CheckedTopup {
  const [checked, setChecked] = useState(first)
  const { id, status } = checked.topup
  useEffect(() => {
    if (isOver(status)) return
    const startedAt = Date.now()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const result = await checkTopupAction({ id }).catch(() => null)
      if (result?.ok) setChecked(result.data)
      const age = Date.now() - startedAt
      if (age < ASK_FOR_MS) timer = setTimeout(ask, ASK_EVERY_MS + age / 10)
    }
    timer = setTimeout(ask, ASK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [id, status])
  return checked
}

/** What became of one payment, kept up to date without a reload. */
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
          Nothing was credited. Your bank or card may say why; another way to pay may work.
        </Alert>
      )
    case "expired":
      return (
        <Alert tone="warn" role="status" className="max-w-text" title="This checkout has expired" action={again}>
          Nothing was paid and nothing was credited.
        </Alert>
      )
    case "processing":
      return (
        <Alert
          role="status"
          className="max-w-text"
          title="Payment received, adding credit…"
          action={
            <LinkButton href="/billing" variant="secondary">
              Open billing
            </LinkButton>
          }
        >
          Your bank is still confirming {credit}. It is added as soon as it does, whether this page is open or not.
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
          Once Stripe confirms it, {credit} is added. You may close this page. A checkout that you left is resumed from
          the top-up page.
        </Alert>
      )
  }
}

/** With what is next: what was refused for want of credit, or why there is still too little. */
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
