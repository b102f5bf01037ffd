import clsx from "clsx"
import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { growRight } from "@/components/charts/grow"
import { LazyDetails } from "@/components/ui/lazy-details"
import { ConfidenceFigure } from "@/questions/confidence-figure"
import type { ChartProps } from "../chart-props"
import type { Bar, ChoiceBars as Chart } from "./bars"

function BarRow({ bar, strong }: { bar: Bar; strong: boolean }) {
  return (
    <li className="grid min-h-5 grid-cols-[minmax(5rem,34%)_1fr_3.75rem] items-center gap-3">
      <span dir="auto" className={clsx("break-words", strong ? "font-medium" : "text-ink-muted")}>
        {bar.label}
      </span>
      <svg width="100%" height="12" aria-hidden="true">
        <rect
          width={`${bar.length * 100}%`}
          height="12"
          rx="3"
          className={clsx(strong ? "fill-probability" : "fill-probability-muted", growRight)}
        />
      </svg>
      <span className="text-right">
        <Exact text={bar.percent} exact={bar.exact} className={strong ? "font-semibold" : undefined} />
      </span>
    </li>
  )
}

/** Draws options by probability, most likely first. The longest bar is that of the most likely option. Options after the twentieth are collapsed. */
export function ChoiceBars({ name, chart, children, notes }: ChartProps<Chart>) {
  const { choice, confidence, bars, rest } = chart
  const all = [...bars, ...(rest?.bars ?? [])]
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col gap-1">
        {bars.map((bar) => (
          <BarRow key={bar.label} bar={bar} strong={bar.label === choice} />
        ))}
      </ul>
      {rest ? (
        <LazyDetails
          summary={`${rest.count} more, ${rest.together.percent} together`}
          summaryClassName="rounded-sm text-ink-muted text-sm pointer-coarse:py-2"
        >
          <ul className="mt-1 flex flex-col gap-1">
            {rest.bars.map((bar) => (
              <BarRow key={bar.label} bar={bar} strong={false} />
            ))}
          </ul>
        </LazyDetails>
      ) : null}
      {children ?? <ConfidenceFigure confidence={confidence} />}
      <DataTable
        caption={`Probabilities of ${name}`}
        head={["Option", "Probability"]}
        rows={all.map((bar) => ({ key: bar.label, name: bar.label, value: bar.exact }))}
      >
        {notes}
      </DataTable>
    </div>
  )
}
