import { DayColumns } from "@/components/charts/day-columns"
import { TextLink } from "@/components/ui/text-link"
import type { DailySpend } from "@/lib/server/usage/list-daily-spend"
import { formatCount, formatExactTime, formatUsd } from "@/lib/shared/format"
import { prepareDays } from "@/lib/shared/usage/prepare"

interface KeyUsageProps {
  spend: DailySpend
  days: number
  keyId: string
}

/** What one key spent by day, drawn and, under the drawing, as a table. */
export function KeyUsage({ spend, days, keyId }: KeyUsageProps) {
  const bars = prepareDays(spend.rows, spend.firstDay, spend.asOf.slice(0, 10))
  const { decisions, tokens, costUsd } = spend.total
  return (
    <section aria-labelledby="key-usage" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="key-usage" className="font-medium text-md">
          The last {days} days
        </h2>
        <TextLink alone href={`/usage?key=${keyId}`}>
          Requests of this key
        </TextLink>
      </div>
      {decisions === 0 ? (
        <p className="text-ink-muted">No decision of this key was charged in the last {days} days.</p>
      ) : (
        <>
          <p className="tabular-nums">
            {formatUsd(costUsd)} for {formatCount(decisions)} {decisions === 1 ? "decision" : "decisions"} with{" "}
            {formatCount(tokens)} input tokens.
          </p>
          <DayColumns days={bars} />
        </>
      )}
      <p className="text-ink-muted text-sm">
        As of {formatExactTime(new Date(spend.asOf))}. Days are UTC days. The sum of the ledger's charges.
      </p>
    </section>
  )
}
