"use client"
import type { ReactNode } from "react"
import { formatFigure, formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import type { DecisionBand } from "@/lib/shared/statistics/band"
import type { BandPoint, IsotonicStep } from "@/lib/shared/statistics/isotonic"
import { ShareChart, xOf } from "./share-chart"

interface CalibrationDiagramProps {
  title: string
  /** What is counted: "Rows" or "Outcomes". */
  counted: string
  /** What was forecast, as in "yes is true". */
  event: string
  /** The name of the probability. */
  axis: string
  steps: readonly IsotonicStep[]
  /** Where a calibrated model's steps stay; empty when it was not computed. */
  consistency: readonly BandPoint[]
  /** The thresholds to mark; null for none. */
  band: DecisionBand | null
  /** The verdict. */
  children?: ReactNode
}

/** Draws how often probabilities come true by rising steps (CORP), with the band of a calibrated model. */
export function CalibrationDiagram(props: CalibrationDiagramProps) {
  const { title, counted, event, axis, steps, consistency, band, children } = props
  const things = counted.toLowerCase()
  return (
    <ShareChart
      title={title}
      head={`${counted} with a probability of`}
      names={[counted, "Observed share", "Calibrated model"]}
      axes={{ x: axis, y: `the share of ${things} where ${event}` }}
      points={steps.map((step) => ({
        label: `${formatFigure(step.from)} to ${formatFigure(step.to)}`,
        texts: [
          formatCount(step.rows),
          formatShare(step.observed),
          intervalText(nearest(consistency, step), formatShare) ?? "–",
        ],
      }))}
      starts={steps.map(({ from }, at) => (at === 0 ? 0 : from))}
      shapes={(y) => ({
        paths: [
          { d: areaOf(consistency, y), isDashed: false, look: "fill-probability-track stroke-none" },
          ...marksOf(band, y),
          { d: `M0 ${y(0)}L100 ${y(1)}`, isDashed: true, look: "stroke-line-strong" },
          { d: stairsOf(steps, y), isDashed: false, look: "stroke-probability" },
        ].filter(({ d }) => d !== ""),
      })}
    >
      {children}
      <p className="max-w-text text-ink-muted">
        On the dashed diagonal, probabilities are right: of the {things} with 80%, 80% come true. The steps are the
        rising shares that fit these {things} best.{" "}
        {consistency.length > 0
          ? "A calibrated model’s steps stay in the shaded band in 95% of such samples, at each point."
          : null}
      </p>
      {band ? <MarkText band={band} /> : null}
    </ShareChart>
  )
}

/** Returns the band at the forecast nearest to the middle of a step. */
function nearest(band: readonly BandPoint[], { from, to }: IsotonicStep): BandPoint | null {
  const distance = ({ at }: BandPoint) => Math.abs(at - (from + to) / 2)
  return band.reduce<BandPoint | null>(
    (best, point) => (best && distance(best) <= distance(point) ? best : point),
    null,
  )
}

/** Draws each step across its rows, and the rise to the next one halfway between them. */
function stairsOf(steps: readonly IsotonicStep[], y: (share: number) => number): string {
  return steps
    .map(({ from, to, observed }, at) => {
      const [last, next] = [steps[at - 1], steps[at + 1]]
      const start = last ? (last.to + from) / 2 : from
      const end = next ? (to + next.from) / 2 : to
      return `${at === 0 ? "M" : "L"}${xOf(start)} ${y(observed)}L${xOf(end)} ${y(observed)}`
    })
    .join("")
}

function areaOf(band: readonly BandPoint[], y: (share: number) => number): string {
  if (band.length < 2) return ""
  const upper = band.map(({ at, high }, place) => `${place === 0 ? "M" : "L"}${xOf(at)} ${y(high)}`)
  return `${upper.join("")}${band
    .toReversed()
    .map(({ at, low }) => `L${xOf(at)} ${y(low)}`)
    .join("")}Z`
}

/** Draws a vertical line at each threshold. */
function marksOf(band: DecisionBand | null, y: (share: number) => number) {
  const { low, high } = band ?? NEVER
  const ends = [...new Set([low, high])].filter((end) => end !== null)
  return [{ d: ends.map((share) => `M${xOf(share)} ${y(0)}V${y(1)}`).join(""), isDashed: true, look: "stroke-accent" }]
}

const NEVER: DecisionBand = { low: null, high: null }

function MarkText({ band: { low, high } }: { band: DecisionBand }) {
  const parts = [...(low === null ? [] : [String(low)]), ...(high === null ? [] : [String(high)])]
  if (parts.length === 0) return null
  return (
    <p className="max-w-text text-ink-muted text-sm">
      Dashed vertical {parts.length === 1 ? "line" : "lines"}: {parts.join(" and ")}, as chosen above.
    </p>
  )
}
