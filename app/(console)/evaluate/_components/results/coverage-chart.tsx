"use client"
import { useMemo } from "react"
import { formatCount } from "@/lib/shared/format"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, coverageCurve } from "@/lib/shared/statistics/coverage"
import { mostLikely } from "@/questions/probabilities"
import { formatThreshold } from "../../figures/automation"
import type { Answered } from "../../figures/figure"
import { formatShare, intervalText } from "../../figures/figure-text"
import { ShareChart, xOf } from "./share-chart"

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

/** Shows how accurate the answers are when only the most confident rows are decided. */
export function CoverageChart({ answered: { labels, probabilities } }: { answered: Answered }) {
  const points = useMemo(() => {
    const answers = probabilities.map((each) => mostLikely([...each]))
    const curve = coverageCurve(
      probabilities.map((each, row) => each[answers[row] ?? 0] ?? 0),
      answers.map((answer, row) => answer === labels[row]),
    )
    return thinned(curve)
  }, [labels, probabilities])
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
    </ShareChart>
  )
}
