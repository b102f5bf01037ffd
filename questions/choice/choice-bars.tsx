import { DataTable } from "@/components/charts/data-table"
import { LazyDetails } from "@/components/ui/lazy-details"
import { ConfidenceFigure } from "@/questions/confidence-figure"
import { BarRow } from "../bar-row"
import type { ChartProps } from "../chart-props"
import type { ChoiceBars as Chart } from "./bars"

/** Draws options by probability, most likely first. The bars scale to the longest. Options after the twentieth are collapsed. */
export function ChoiceBars({ name, chart, children, notes }: ChartProps<Chart>) {
  const { choice, confidence, bars, rest } = chart
  const all = [...bars, ...(rest?.bars ?? [])]
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col gap-1">
        {bars.map((bar) => (
          <BarRow key={bar.label} label={bar.label} share={bar} length={bar.length} strong={bar.label === choice} />
        ))}
      </ul>
      {rest ? (
        <LazyDetails
          summary={`${rest.count} more, ${rest.together.percent} together`}
          summaryClassName="rounded-sm text-ink-muted text-sm pointer-coarse:py-2"
        >
          <ul className="mt-1 flex flex-col gap-1">
            {rest.bars.map((bar) => (
              <BarRow key={bar.label} label={bar.label} share={bar} length={bar.length} strong={false} />
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
