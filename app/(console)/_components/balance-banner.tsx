import { Alert } from "@/components/ui/alert"
import { TextLink } from "@/components/ui/text-link"
import type { Runway } from "@/lib/server/billing/runway"
import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"
import { countOf, formatBalance } from "@/lib/shared/format"

const MAX_DAYS = 60

const rateOf = (days: number): string => (days === 1 ? "at today’s rate" : `at the last ${days} days’ rate`)

/** Returns how long the balance lasts: "It lasts about 3 days at the last 7 days' rate." */
function lasting({ days, rateDays }: Runway): string {
  if (days === null) return "Nothing was spent in the last 7 days."
  if (days > MAX_DAYS) return `It lasts for more than ${MAX_DAYS} days ${rateOf(rateDays)}.`
  if (days === 0) return `It lasts less than a day ${rateOf(rateDays)}.`
  return `It lasts about ${countOf(days, "day")} ${rateOf(rateDays)}.`
}

/** Warns of a low or empty balance above every page of the console. Rendered with the page, so that nothing moves. */
export function BalanceBanner({ runway, mayPay }: { runway: Runway; mayPay: boolean }) {
  const { level, balanceUsd } = runway
  if (level === "ok") return null
  return (
    <Alert
      tone={level === "empty" ? "danger" : "warn"}
      className="mb-6 print:hidden"
      title={level === "empty" ? "There is no balance left" : `Low balance: ${formatBalance(balanceUsd)}`}
      action={
        mayPay ? (
          <TextLink href="/billing/top-up" alone>
            Add credit
          </TextLink>
        ) : null
      }
    >
      {level === "empty" ? "Requests are refused until credit is added." : lasting(runway)}
      {mayPay ? null : ` ${ASK_FOR_CREDIT}`}
    </Alert>
  )
}
