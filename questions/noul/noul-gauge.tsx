import clsx from "clsx"
import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { growRight } from "@/components/charts/grow"
import type { ChartProps } from "../chart-props"
import type { NoulGauge as Gauge } from "./noul"

const position = (share: number): string => `${share * 100}%`

/** Anchors a label near an end of the scale so that it stays inside. */
const anchor = (share: number) => (share < 0.08 ? "start" : share > 0.92 ? "end" : "middle")

/** Draws the probability of yes on a gauge from 0 to 1. Ticks mark the ends of the band; without a band, one marks `threshold`. */
export function NoulGauge({ name, chart, band, children, notes }: ChartProps<Gauge>) {
  const { yes, noPercent, threshold, verdict } = chart
  const ticks = band ? [...new Set([band.low, band.high])].filter((end) => end !== null) : [threshold]
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{verdict === "yes" ? "Yes is more likely" : "No is more likely"}</span>
        <span className="text-ink-muted text-sm">
          yes <Exact text={yes.percent} exact={yes.exact} className="font-semibold text-base text-ink" />
        </span>
      </p>
      <svg width="100%" height={band ? 38 : 56} role="img" aria-label={`Probability of yes: ${yes.percent}`}>
        <rect y="18" width="100%" height="12" rx="3" className="fill-probability-track" />
        <rect
          y="18"
          width={position(yes.value)}
          height="12"
          rx="3"
          className={clsx(verdict === "yes" ? "fill-probability" : "fill-probability-muted", growRight)}
        />
        {ticks.map((tick) => (
          <line key={tick} x1={position(tick)} x2={position(tick)} y1="30" y2="38" className="stroke-line-strong" />
        ))}
        <line
          x1={position(yes.value)}
          x2={position(yes.value)}
          y1="14"
          y2="34"
          strokeWidth="2"
          className="stroke-ink"
        />
        <text
          x={position(yes.value)}
          y="10"
          textAnchor={anchor(yes.value)}
          className="fill-ink font-medium text-xs tabular-nums"
        >
          {yes.value.toFixed(3)}
        </text>
        {band ? null : <Scale threshold={threshold} />}
      </svg>
      {children}
      <DataTable
        caption={`Probabilities of ${name}`}
        head={["Answer", "Probability"]}
        rows={[
          { key: "yes", name: "Yes", value: yes.exact },
          { key: "no", name: "No", value: noPercent },
        ]}
      >
        {notes}
      </DataTable>
    </div>
  )
}

function Scale({ threshold }: { threshold: number }) {
  return (
    <g className="fill-ink-muted text-xs tabular-nums">
      <text x="0" y="51">
        0 no
      </text>
      <text x={position(threshold)} y="51" textAnchor="middle">
        {threshold}
      </text>
      <text x="100%" y="51" textAnchor="end">
        yes 1
      </text>
    </g>
  )
}
