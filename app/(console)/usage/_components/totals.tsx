import { Money } from "@/components/ui/money"
import type { Figures } from "@/lib/server/usage/usage"
import { formatCount } from "@/lib/shared/format"

const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 })

const ms = (value: number | null): string => (value === null ? "–" : `${formatCount(value)} ms`)

/** What the whole range came to. */
export function Totals({ total }: { total: Figures }) {
  const { decisions, refused, tokens, costUsd, p50Ms, p95Ms } = total
  const share = refused > 0 ? ` (${PERCENT.format(refused / (decisions + refused))})` : ""
  const figures = [
    { label: "Spent", value: <Money usd={costUsd} /> },
    { label: "Answered", value: formatCount(decisions) },
    { label: "Not answered", value: `${formatCount(refused)}${share}` },
    { label: "Billable tokens", value: formatCount(tokens) },
    { label: "Median latency", value: ms(p50Ms) },
    { label: "95th percentile", value: ms(p95Ms) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-ink-muted text-sm">{label}</dt>
          <dd className="wrap-anywhere font-semibold text-md tabular-nums *:whitespace-normal">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
