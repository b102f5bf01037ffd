import { scaleLinear } from "@visx/scale"
import type { ReactNode } from "react"
import type { TimeChart } from "./time-chart"

/** The height of what is drawn, in pixels; widths are shares of the room there is. */
export const HEIGHT = 148
const TOP = 8
const TICKS = 3

export type YScale = (value: number) => number

/** From zero to a round number above the highest value. */
export function yScaleOf(highest: number) {
  return scaleLinear<number>({ domain: [0, highest > 0 ? highest : 1], range: [HEIGHT, TOP], nice: TICKS })
}

/** Where a column begins, as a share of the width in percent. */
export const xOf = (place: number, room: number): number => (place / room) * 100

interface PlotProps {
  chart: TimeChart
  highest: number
  children: (y: YScale) => ReactNode
}

/** Axes and grid as drawn on the server, without a width: nothing moves when the browser learns it. */
export function Plot({ chart, highest, children }: PlotProps) {
  const y = yScaleOf(highest)
  const { room } = chart
  const values = highest > 0 ? y.ticks(TICKS) : [0]
  return (
    <svg width="100%" height={HEIGHT + 24} aria-hidden="true" className="block overflow-visible">
      {values.map((value) => (
        <g key={value}>
          <line
            x1="0"
            x2="100%"
            y1={y(value)}
            y2={y(value)}
            className={value === 0 ? "stroke-line-strong" : "stroke-line"}
          />
          {value === 0 ? null : (
            <text x="-8" y={y(value) + 4} textAnchor="end" className="fill-ink-muted text-xs tabular-nums">
              {chart.formatTick(value)}
            </text>
          )}
        </g>
      ))}
      {children(y)}
      {chart.ticks.map(({ place, text }) => (
        <text
          key={place}
          x={`${xOf(place + 0.5, room)}%`}
          y={HEIGHT + 18}
          textAnchor={place === 0 ? "start" : place === room - 1 ? "end" : "middle"}
          className="fill-ink-muted text-xs tabular-nums"
        >
          {text}
        </text>
      ))}
    </svg>
  )
}
