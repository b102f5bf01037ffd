import { Money } from "@/components/ui/money"
import type { DailySpend } from "@/lib/usage/list-daily-spend"

const NUMBER = new Intl.NumberFormat("en-US")

/** What the whole span came to. */
export function Totals({ total }: { total: DailySpend["total"] }) {
  const figures = [
    { label: "Spent", value: <Money usd={total.costUsd} /> },
    { label: "Decisions", value: NUMBER.format(total.decisions) },
    { label: "Billable tokens", value: NUMBER.format(total.tokens) },
  ]
  return (
    <dl className="flex flex-wrap gap-x-12 gap-y-4">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col">
          <dt className="text-ink-muted text-sm">{label}</dt>
          <dd className="font-semibold text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
