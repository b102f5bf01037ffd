import { separator } from "./band"
import { allowedErrors, RISK, upperBound } from "./binomial"

/** How many rows a confidence threshold decides automatically, and how many of those are wrong. */
export interface CoveragePoint {
  /** Rows with at least this confidence are decided. */
  threshold: number
  decided: number
  wrong: number
}

/**
 * Returns one point for each distinct confidence, highest first: the coverage–accuracy curve. Source: El-Yaniv and Wiener
 * (2010), "On the foundations of noise-free selective classification".
 */
export function coverageCurve(confidences: ArrayLike<number>, isRight: ArrayLike<boolean | number>): CoveragePoint[] {
  const rows = Uint32Array.from({ length: confidences.length }, (_, row) => row)
  rows.sort((a, b) => (confidences[b] ?? 0) - (confidences[a] ?? 0))
  const curve: CoveragePoint[] = []
  let wrong = 0
  for (const [place, row] of rows.entries()) {
    const threshold = confidences[row] ?? 0
    if (!isRight[row]) wrong++
    const next = rows[place + 1]
    if (next === undefined || confidences[next] !== threshold) curve.push({ threshold, decided: place + 1, wrong })
  }
  return curve
}

/** Returns a threshold that decides the rows up to a point and none after it, with as few digits as possible. */
export function thresholdAt(curve: readonly CoveragePoint[], at: number): number {
  const next = curve[at + 1]
  return next ? separator(next.threshold, curve[at]?.threshold ?? 0) : 0
}

/**
 * Returns the lowest confidence threshold that is good enough, or null when there is none. It is good enough when the upper bound
 * of its error (`upperBound` at `risk`) is at most `target` on these rows.
 */
export function widestThreshold(curve: readonly CoveragePoint[], target: number, risk = RISK): number | null {
  const allowed = allowedErrors(curve.at(-1)?.decided ?? 0, target, risk)
  const at = curve.findLastIndex(({ decided, wrong }) => wrong <= (allowed[decided] ?? -1))
  return at < 0 ? null : thresholdAt(curve, at)
}

/** What the user loses, in any one unit. A right automatic answer costs nothing. */
export interface ThresholdCosts {
  wrong: number
  review: number
}

/** Returns the threshold with the lowest cost on these rows; null when reviewing every row is cheapest. */
export function cheapestThreshold(curve: readonly CoveragePoint[], costs: ThresholdCosts): number | null {
  let best = { cost: 0, at: -1 }
  for (const [at, { decided, wrong }] of curve.entries()) {
    const cost = costs.wrong * wrong - costs.review * decided
    if (cost < best.cost) best = { cost, at }
  }
  return best.at < 0 ? null : thresholdAt(curve, best.at)
}

/** What a threshold does with a set of rows. */
export interface ThresholdCheck {
  rows: number
  automatic: number
  review: number
  wrong: number
  /** As in `BandCheck`: valid only on rows that did not choose the threshold. */
  errorBound: number
}

/** Counts what a threshold does with the rows of a curve. Null decides none. */
export function checkThreshold(curve: readonly CoveragePoint[], threshold: number | null): ThresholdCheck {
  const rows = curve.at(-1)?.decided ?? 0
  const point = threshold === null ? undefined : curve.findLast((each) => each.threshold >= threshold)
  const automatic = point?.decided ?? 0
  const wrong = point?.wrong ?? 0
  return { rows, automatic, review: rows - automatic, wrong, errorBound: upperBound(wrong, automatic) }
}
