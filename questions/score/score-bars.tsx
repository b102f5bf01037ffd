import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { shortText } from "@/lib/shared/long-runs"
import { ConfidenceFigure } from "@/questions/confidence-figure"
import { BarRow } from "../bar-row"
import type { ChartProps } from "../chart-props"
import type { ScoreBars as Chart } from "./level-bars"

/** Three lines show less. */
const CLAMPED_LENGTH = 500

/** Draws the mean on its scale, and one bar for each level beside its label. The bars scale to the longest. */
export function ScoreBars({ name, chart, children, notes }: ChartProps<Chart>) {
  const { mean, confidence, bars, mostLikely } = chart
  return (
    <div className="flex flex-col gap-2">
      <div className="grid items-center gap-x-6 gap-y-1 @md:grid-cols-[auto_minmax(0,1fr)]">
        <p className="font-medium">
          mean <Exact text={mean.text} exact={mean.exact} side="left" />
          <span className="font-normal text-ink-muted"> of 0 to {bars.length - 1}</span>
        </p>
        <MeanScale chart={chart} />
      </div>
      <ol className="flex flex-col gap-1">
        {bars.map((bar) => (
          <BarRow
            key={bar.level}
            term={bar.level}
            label={shortText(bar.label, CLAMPED_LENGTH)}
            share={bar}
            length={bar.length}
            strong={bar.level === mostLikely}
          />
        ))}
      </ol>
      {children ?? <ConfidenceFigure confidence={confidence} />}
      <DataTable
        caption={`Probabilities of ${name}`}
        head={["Level", "Probability"]}
        rows={[
          ...bars.map(({ level, label, exact }) => ({
            key: String(level),
            name: `${level} ${label}`,
            value: exact,
          })),
          { key: "mean", name: "Mean", value: mean.exact },
        ]}
      >
        {notes}
      </DataTable>
    </div>
  )
}

/** Where the first and the last level are, in percent of the width: their numbers need room. */
const [FIRST, LAST] = [2, 98]

function MeanScale({ chart: { mean, bars, mostLikely } }: { chart: Chart }) {
  const placeOf = (level: number) => `${FIRST + ((LAST - FIRST) * level) / Math.max(1, bars.length - 1)}%`
  return (
    <svg width="100%" height="32" role="img" aria-label={`Mean ${mean.text}, most likely level ${mostLikely}`}>
      <line x1={placeOf(0)} x2={placeOf(bars.length - 1)} y1="13.5" y2="13.5" className="stroke-line-strong" />
      {bars.map(({ level }) => (
        <g key={level}>
          <line x1={placeOf(level)} x2={placeOf(level)} y1="10" y2="17" className="stroke-line-strong" />
          <text x={placeOf(level)} y="29" textAnchor="middle" className="fill-ink-muted text-xs tabular-nums">
            {level}
          </text>
        </g>
      ))}
      <svg x={placeOf(mean.value)} y="1" width="1" height="12" overflow="visible" aria-hidden="true">
        <path d="M0 10 L6 0 L-6 0 Z" className="fill-ink" />
      </svg>
    </svg>
  )
}
