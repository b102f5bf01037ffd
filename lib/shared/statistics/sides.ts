import { type DecisionBand, separator } from "./band"
import { type CoveragePoint, coverageCurve, thresholdAt } from "./coverage"
import type { Forecasts } from "./forecasts"

/** The probability from which on a row is on the side of yes. */
const MIDDLE = 0.5

/** The surest rows of each side first. Thresholds of `no` are probabilities of no. */
export interface SideCurves {
  yes: CoveragePoint[]
  no: CoveragePoint[]
}

/** Returns a curve per side: rows from 0.5 up, where a wrong answer is a no, and rows below, where it is a yes. */
export function sideCurves({ probabilities, isYes }: Forecasts): SideCurves {
  const below = countBelow(probabilities)
  return {
    yes: coverageCurve(probabilities.subarray(below), isYes.subarray(below)),
    no: coverageCurve(
      probabilities.subarray(0, below).map((p) => 1 - p),
      isYes.subarray(0, below).map((yes) => 1 - yes),
    ),
  }
}

/** Equal confidences of both sides differ by rounding: 1 − 0.07 is not 0.93. */
const rounded = (confidence: number): number => Math.round(confidence * 1e12) / 1e12

/** Returns the probability of the more likely answer of each row, and whether that answer is right. */
export const symmetricConfidences = ({ probabilities, isYes }: Pick<Forecasts, "probabilities" | "isYes">) => ({
  confidences: probabilities.map((p) => rounded(Math.max(p, 1 - p))),
  isRight: isYes.map((yes, at) => Number((probabilities[at] ?? 0) >= MIDDLE === Boolean(yes))),
})

/** Returns one curve for both sides, by the probability of the more likely answer. */
export function symmetricCurve(forecasts: Forecasts): CoveragePoint[] {
  const { confidences, isRight } = symmetricConfidences(forecasts)
  return coverageCurve(confidences, isRight)
}

function countBelow(probabilities: Float64Array): number {
  const first = probabilities.findIndex((p) => p >= MIDDLE)
  return first < 0 ? probabilities.length : first
}

/** Returns the band that answers the lowest `no` rows with no and the highest `yes` rows with yes. Null: that side never answers. */
export function bandOfSides(
  { probabilities }: Forecasts,
  { no, yes }: { no: number | null; yes: number | null },
): DecisionBand {
  const rows = probabilities.length
  const at = (place: number) => probabilities[place] ?? Number.NaN
  const lowOf = (count: number) => (at(count) < MIDDLE ? separator(at(count - 1), at(count)) : MIDDLE)
  const highOf = (count: number) =>
    at(rows - count - 1) >= MIDDLE ? separator(at(rows - count - 1), at(rows - count)) : MIDDLE
  return { low: no === null ? null : lowOf(no), high: yes === null ? null : highOf(yes) }
}

/**
 * Returns the band of a step of `symmetricCurve`: both thresholds are between the confidence of the step and the next one, even on
 * a side without rows there.
 */
export function symmetricBand(
  { probabilities }: Forecasts,
  curve: readonly CoveragePoint[],
  step: number,
): { low: number; high: number } {
  const [point, next] = [curve[step], curve[step + 1]]
  if (!point || !next) return { low: MIDDLE, high: MIDDLE }
  // "No" ends before its threshold, so that one is above every sure row and at most at the next one.
  const isSure = (p: number) => p < MIDDLE && rounded(1 - p) >= point.threshold
  const last = probabilities.findLast(isSure) ?? 0
  const first = probabilities.find((p) => p < MIDDLE && !isSure(p)) ?? MIDDLE
  return {
    low: separator(Math.max(last, rounded(1 - point.threshold)), Math.min(first, rounded(1 - next.threshold))),
    high: thresholdAt(curve, step),
  }
}
