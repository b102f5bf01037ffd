"use client"
import { scaleLinear } from "@visx/scale"
import type { ReactNode } from "react"
import { Drawing, type Drawn } from "@/components/charts/drawing"
import { ChartCursor } from "@/components/charts/time/chart-cursor"

const HEIGHT_PX = 220
const TOP_PX = 8
const TICKS = [0, 0.25, 0.5, 0.75, 1]

const percent = (share: number): string => `${Math.round(share * 100)}%`
/** Returns where a share is on the horizontal axis, in percent. */
export const xOf = (share: number): number => share * 100

interface ShareChartProps {
  title: string
  children?: ReactNode
  /** The heading of the table's first column. */
  head: string
  names: readonly string[]
  points: readonly { label: string; texts: readonly string[] }[]
  /** Where each point's column starts, from 0 to 1. */
  starts: readonly number[]
  /** What the axes show, for readers of the chart. */
  axes: { x: string; y: string }
  /** The lowest share on the vertical axis. */
  lowest?: number
  /** `y` turns a share into pixels from the top. */
  shapes: (y: (share: number) => number) => Partial<Pick<Drawn, "rects" | "paths" | "dots">>
}

/** Draws shares against shares: both axes end at 100%. The arrow keys move over the points, and a table lists them. */
export function ShareChart({
  title,
  children,
  head,
  names,
  points,
  starts,
  axes,
  lowest = 0,
  shapes,
}: ShareChartProps) {
  const y = scaleLinear<number>({ domain: [lowest, 1], range: [HEIGHT_PX, TOP_PX] })
  const grid = y.ticks(4).map((share) => ({ y: y(share), isBase: share === lowest, text: percent(share) }))
  const ticks = TICKS.map((share) => ({
    x: `${xOf(share)}%`,
    anchor: share === 0 ? ("start" as const) : share === 1 ? ("end" as const) : ("middle" as const),
    text: percent(share),
  }))
  return (
    <figure className="flex min-w-0 max-w-3xl flex-col gap-3">
      <figcaption className="flex flex-col gap-1">
        <h2 className="font-semibold text-lg">{title}</h2>
        {children}
        <p className="text-ink-muted text-sm">
          Vertical axis: {axes.y}. Horizontal axis: {axes.x}.
        </p>
      </figcaption>
      <ChartCursor title={title} head={head} names={names} points={points} columnCount={points.length} starts={starts}>
        <Drawing height={HEIGHT_PX} grid={grid} ticks={ticks} rects={[]} paths={[]} dots={[]} {...shapes(y)} />
      </ChartCursor>
    </figure>
  )
}
