"use client"
import { useMemo } from "react"
import { formatThreshold } from "@/lib/shared/evaluate/figures/automation"
import { formatFigure, formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import type { DecisionBand } from "@/lib/shared/statistics/band"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type Bin, decomposeBrier, equalMassBins, type Forecasts } from "@/lib/shared/statistics/forecasts"
import { ShareChart, xOf } from "./share-chart"

const rangeText = ({ count, yes }: Bin): string => intervalText(wilsonInterval(yes, count), formatShare) ?? "–"

/** Returns where each bin's column starts: half way between its mean probability and that of the bin before. */
const startsOf = (bins: readonly Bin[]): number[] =>
  bins.map(({ forecast }, at) => (at === 0 ? 0 : (forecast + (bins[at - 1]?.forecast ?? 0)) / 2))

/** Shows how often yes is true at each probability, with the parts of the Brier score. */
export function ReliabilityChart({ forecasts, band }: { forecasts: Forecasts; band: DecisionBand | null }) {
  const bins = useMemo(() => equalMassBins(forecasts), [forecasts])
  const parts = useMemo(() => decomposeBrier(forecasts), [forecasts])
  return (
    <section className="flex flex-col gap-3">
      <ShareChart
        title="Do the probabilities mean what they say?"
        head="Rows with a probability of"
        names={["Rows", "Mean probability", "Labelled yes", "95% interval"]}
        axes={{ x: "the probability of yes", y: "the share of rows labelled yes" }}
        points={bins.map((bin) => ({
          label: `${formatFigure(bin.from)} to ${formatFigure(bin.to)}`,
          texts: [formatCount(bin.count), formatShare(bin.forecast), formatShare(bin.observed), rangeText(bin)],
        }))}
        starts={startsOf(bins)}
        shapes={(y) => ({
          paths: [
            ...marksOf(band, y),
            { d: `M0 ${y(0)}L100 ${y(1)}`, isDashed: true, look: "stroke-line-strong" },
            { d: bins.map((bin) => whisker(bin, y)).join(""), isDashed: false, look: "stroke-probability-muted" },
          ],
          dots: bins.map(({ forecast, observed }) => ({
            x: `${xOf(forecast)}%`,
            y: y(observed),
            look: "fill-probability",
          })),
        })}
      >
        <p className="max-w-text text-ink-muted">
          On the dashed diagonal, probabilities are right: of the rows with 80%, 80% are labelled yes. A dot above it
          means that yes is more frequent than the model says. All dots stand for about the same number of rows. The
          line through a dot is its 95% interval.
        </p>
        <MarkText band={band} />
      </ShareChart>
      <BrierParts {...parts} />
    </section>
  )
}

/** Draws a vertical line at each threshold between 0 and 1. A threshold outside this range never applies. */
function marksOf(band: DecisionBand | null, y: (share: number) => number) {
  const at = [...new Set(band ? [band.low, band.high] : [])].filter((share) => share > 0 && share <= 1)
  const d = at.map((share) => `M${xOf(share)} ${y(0)}V${y(1)}`).join("")
  return d === "" ? [] : [{ d, isDashed: true, look: "stroke-accent" }]
}

function MarkText({ band }: { band: DecisionBand | null }) {
  if (!band) return null
  const { low, high } = band
  const parts = [
    ...(low > 0 ? [`no below ${formatThreshold(low)}`] : []),
    ...(high <= 1 ? [`yes from ${formatThreshold(high)} up`] : []),
  ]
  if (parts.length === 0) return null
  return (
    <p className="max-w-text text-ink-muted text-sm">Dashed vertical lines: {parts.join(", ")}, as chosen above.</p>
  )
}

function whisker(bin: Bin, y: (share: number) => number): string {
  const interval = wilsonInterval(bin.yes, bin.count)
  return interval ? `M${xOf(bin.forecast)} ${y(interval.low)}V${y(interval.high)}` : ""
}

function BrierParts({ reliability, resolution, uncertainty, withinBins }: ReturnType<typeof decomposeBrier>) {
  return (
    <p className="max-w-text text-ink-muted text-sm">
      The Brier score is {formatFigure(uncertainty)} (uncertainty: the base rate alone), minus{" "}
      {formatFigure(resolution)} (resolution: how well the model separates rows), plus {formatFigure(reliability)}{" "}
      (reliability: the distance of the dots from the diagonal), plus {formatFigure(withinBins)} (differences within the
      bins).
    </p>
  )
}
