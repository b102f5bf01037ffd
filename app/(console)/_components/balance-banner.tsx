"use client"
import { usePathname } from "next/navigation"
import { Alert } from "@/components/ui/alert"
import type { Debt, DebtPart } from "@/lib/server/billing/balance"
import type { Runway } from "@/lib/server/billing/runway"
import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"
import { countOf, formatBalance, formatUsd } from "@/lib/shared/format"
import { AddCredit } from "./add-credit"

const MAX_DAYS = 60

const rateOf = (days: number): string => (days === 1 ? "at today’s rate" : `at the last ${days} days’ rate`)

/** Returns how long the balance lasts: "It lasts about 3 days at the last 7 days' rate." */
function lasting({ days, rateDays }: Runway): string {
  if (days === null) return "Nothing was spent in the last 7 days."
  if (days > MAX_DAYS) return `It lasts for more than ${MAX_DAYS} days ${rateOf(rateDays)}.`
  if (days === 0) return `It lasts less than a day ${rateOf(rateDays)}.`
  return `It lasts about ${countOf(days, "day")} ${rateOf(rateDays)}.`
}

/** Returns what took the balance below zero: "Correction of the October credit, −$9.00, by the operator". */
function reasonOf({ kind, amountUsd, note }: DebtPart): string {
  const amount = formatUsd(`-${amountUsd}`)
  if (kind === "refund") return `${amount} for a refunded top-up`
  if (kind === "dispute") return `${amount} for a payment that is disputed with the bank`
  return note ? `${note}, ${amount}, by the operator` : `${amount} by the operator`
}

function Reasons({ debt }: { debt: Debt }) {
  if (debt.parts.length === 0) return <p>A request may cost up to $0.01 more than the balance that was left.</p>
  return (
    <ul>
      {debt.parts.map((part) => (
        <li key={part.kind} className="wrap-anywhere">
          {reasonOf(part)}
        </li>
      ))}
    </ul>
  )
}

function titleOf({ level, balanceUsd }: Runway): string {
  if (level === "low") return `Low balance: ${formatBalance(balanceUsd)}`
  return balanceUsd.startsWith("-")
    ? `The balance is below zero: ${formatBalance(balanceUsd)}`
    : "There is no balance left"
}

interface BalanceBannerProps {
  runway: Runway
  /** Null while the balance is not below zero, and for members who may not see the reason. */
  debt: Debt | null
  mayPay: boolean
}

/**
 * Warns of a low, empty or negative balance above every page of the console, with the reason and one action. No other part of a page
 * repeats it. Rendered with the page, so that nothing moves. The operator's area is about other accounts, so it has no banner.
 */
export function BalanceBanner({ runway, debt, mayPay }: BalanceBannerProps) {
  const { level } = runway
  const isOperating = /^\/operator(?:\/|$)/.test(usePathname() ?? "")
  if (level === "ok" || isOperating) return null
  return (
    <Alert
      tone={level === "empty" ? "danger" : "warn"}
      className="mb-6 print:hidden"
      title={titleOf(runway)}
      action={mayPay ? <AddCredit amountUsd={debt?.smallestTopupUsd ?? null} /> : null}
    >
      {debt ? <Reasons debt={debt} /> : null}
      {level === "empty" ? "Requests are refused until credit is added." : lasting(runway)}
      {mayPay ? null : ` ${ASK_FOR_CREDIT}`}
    </Alert>
  )
}
