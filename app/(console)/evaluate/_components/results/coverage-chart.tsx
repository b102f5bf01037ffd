"use client"
import { useMemo } from "react"
import { ShareChart, xOf } from "@/components/calibration/share-chart"
import { formatThreshold } from "@/lib/shared/evaluate/figures/automation"
import type { Confidences } from "@/lib/shared/evaluate/figures/confidences"
import type { Answered } from "@/lib/shared/evaluate/figures/evaluation-figures"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import type { DecisionBand } from "@/lib/shared/statistics/band"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, checkThreshold, coverageCurve } from "@/lib/shared/statistics/coverage"

const SHOWN_POINTS = 40

/** Returns about `SHOWN_POINTS` points, evenly spread over the rows, and always the last one. */
function thinned(curve: readonly CoveragePoint[]): CoveragePoint[] {
  const rows = curve.at(-1)?.decided ?? 0
  let next = 0
  return curve.filter(({ decided }, at) => {
    if (decided < next && at < curve.length - 1) return false
    next = decided + rows / SHOWN_POINTS
    return true
  })
}

interface CoverageChartProps {
  answered: Answered
  confidencesOf: (answered: Answered) => Confidences
  /** Its `high` is the chosen threshold. Null when none was found. */
  band: DecisionBand | null
}

/** Shows how accurate the answers are when only the most confident rows are decided. */
export function CoverageChart({ answered, confidencesOf, band }: CoverageChartProps) {
  const curve = useMemo(() => {
    const { confidences, isRight } = confidencesOf(answered)
    return coverageCurve(confidences, isRight)
  }, [answered, confidencesOf])
  const points = useMemo(() => thinned(curve), [curve])
  const { labels } = answered
  const decided = band ? checkThreshold(curve, band.high).automatic : 0
  const rows = labels.length
  const accuracy = ({ decided, wrong }: CoveragePoint) => 1 - wrong / decided
  const lowest = Math.min(0.9, Math.floor(Math.min(...points.map(accuracy)) * 10) / 10)
  return (
    <ShareChart
      title="How many rows can be decided, and how well?"
      head="Probability from"
      names={["Rows decided", "Share of rows", "Right", "95% interval"]}
      axes={{ x: "the share of rows decided, most confident first", y: "the share of these that are right" }}
      lowest={lowest}
      points={points.map((point) => ({
        label: formatThreshold(point.threshold),
        texts: [
          formatCount(point.decided),
          formatShare(point.decided / rows),
          formatShare(accuracy(point)),
          intervalText(wilsonInterval(point.decided - point.wrong, point.decided), formatShare) ?? "–",
        ],
      }))}
      starts={points.map((_, at) => (points[at - 1]?.decided ?? 0) / rows)}
      shapes={(y) => ({
        paths: [
          ...(decided > 0
            ? [{ d: `M${xOf(decided / rows)} ${y(lowest)}V${y(1)}`, isDashed: true, look: "stroke-accent" }]
            : []),
          {
            d: points
              .map((point, at) => `${at === 0 ? "M" : "L"}${xOf(point.decided / rows)} ${y(accuracy(point))}`)
              .join(""),
            isDashed: false,
            look: "stroke-probability",
          },
        ],
      })}
    >
      <p className="max-w-text text-ink-muted">
        From left to right, less confident rows are decided too. At the right end, every row is.
      </p>
      {band && decided > 0 ? (
        <p className="max-w-text text-ink-muted text-sm">
          Dashed vertical line: the threshold of {band.high}, as chosen above. It decides {formatShare(decided / rows)}{" "}
          of all rows.
        </p>
      ) : null}
    </ShareChart>
  )
}
