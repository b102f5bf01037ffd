import { placeTicks } from "@/components/charts/time/time-chart"
import { TimeColumns } from "@/components/charts/time/time-charts"
import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import type { DailySpend } from "@/lib/server/usage/list-daily-spend"
import { countOf, formatDate, formatDay, formatExactTime, formatUsd, formatUsdTick } from "@/lib/shared/format"
import { type DayBar, prepareDays } from "./prepare-days"

interface KeyUsageProps {
  spend: DailySpend
  days: number
  keyId: string
}

export function KeyUsage({ spend, days, keyId }: KeyUsageProps) {
  const bars = prepareDays(spend.rows, spend.firstDay, spend.asOf.slice(0, 10))
  const { decisions, tokens, costUsd } = spend.total
  return (
    <Section
      id="key-usage"
      title={`Last ${days} days`}
      action={
        <TextLink alone href={`/requests?key=${keyId}`}>
          Show requests with this key
        </TextLink>
      }
    >
      {decisions === 0 ? (
        <p className="text-ink-muted">This key was not charged for any decision in the last {days} days.</p>
      ) : (
        <>
          <p className="tabular-nums">
            {formatUsd(costUsd)} for {countOf(decisions, "decision")} with {countOf(tokens, "input token")}.
          </p>
          <DayColumns days={bars} />
        </>
      )}
      <p className="text-ink-muted text-sm">
        As of {formatExactTime(new Date(spend.asOf))}. Days are in UTC. Amounts are the sum of the charges in your
        ledger.
      </p>
    </Section>
  )
}

function DayColumns({ days }: { days: readonly DayBar[] }) {
  const chart = {
    title: "Spend by day",
    head: "Day (UTC)",
    layers: [{ name: "Spend", tone: "accent" as const, values: days.map(({ costUsd }) => Number(costUsd)) }],
    points: days.map(({ day, costUsd }) => ({ label: formatDate(new Date(day)), texts: [formatUsd(costUsd)] })),
    columnCount: days.length,
    ticks: placeTicks(days.length, (column) => formatDay(new Date(days[column]?.day ?? 0))),
    formatTick: formatUsdTick,
  }
  return <TimeColumns chart={chart} />
}
