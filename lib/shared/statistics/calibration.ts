import { equalMassBins, type Forecasts } from "./forecasts"

/** Forecasts closer to 0 or 1 are moved to it: their logit would be infinite. */
const CLIP = 1e-6
const STEPS = 100
const PRECISION = 1e-12

export interface CoxFit {
  /** `logit P(yes) = intercept + slope · logit p`. A calibrated model has 0 and 1. */
  intercept: number
  slope: number
  /** Twice the gain in log likelihood over intercept 0 and slope 1. */
  ratio: number
  /** The chance of such a ratio when the model is calibrated. */
  p: number
}

const clipped = (p: number): number => Math.min(1 - CLIP, Math.max(CLIP, p))
const logistic = (x: number): number => 1 / (1 + Math.exp(-x))
/** `ln(1 + eˣ)` without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

/**
 * Fits the line that recalibrates forecasts on the logit scale, and tests it against "already calibrated" by the likelihood ratio
 * with 2 degrees of freedom. Null when the rows fix no line: one label only, one forecast only, or labels that the forecasts
 * separate without error. Source: Cox (1958), "Two further applications of a model for binary regression".
 */
export function coxFit({ probabilities, isYes }: Forecasts): CoxFit | null {
  const x = probabilities.map((p) => Math.log(clipped(p) / (1 - clipped(p))))
  const logLikelihood = (intercept: number, slope: number) =>
    x.reduce((sum, each, at) => {
      const score = intercept + slope * each
      return sum + (isYes[at] ?? 0) * score - softplus(score)
    }, 0)
  const start = logLikelihood(0, 1)
  let [intercept, slope, likelihood] = [0, 1, start]
  for (let step = 0; step < STEPS; step++) {
    const [da, db] = newtonStep(x, isYes, intercept, slope)
    // Half steps keep Newton's method from leaving the likelihood's rise.
    let size = 1
    while (size > PRECISION && !(logLikelihood(intercept + size * da, slope + size * db) >= likelihood)) size /= 2
    if (size <= PRECISION) break
    intercept += size * da
    slope += size * db
    likelihood = logLikelihood(intercept, slope)
    if (Math.abs(size * da) + Math.abs(size * db) < PRECISION) break
  }
  // A likelihood of 1 is a line without end: the forecasts separate the labels.
  if (!Number.isFinite(intercept + slope) || likelihood > -1e-6) return null
  const ratio = Math.max(0, 2 * (likelihood - start))
  return { intercept, slope, ratio, p: Math.exp(-ratio / 2) }
}

export interface SeparationTest {
  /** The chance of such labels when the model is calibrated. */
  p: number
  /** Which way every steeper line turns the forecasts. `backwards`: each yes has a lower forecast than each no. */
  turn: "higher" | "lower" | "apart" | "backwards"
}

/**
 * Tests "already calibrated" where `coxFit` finds no line, because labels are all the same or separated by the forecasts without
 * error: steeper lines fit ever better, and the likelihood rises towards 1. Null for other labels.
 */
export function separationTest({ probabilities, isYes }: Forecasts): SeparationTest | null {
  const [no, yes] = [emptySide(), emptySide()]
  let likelihood = 0
  probabilities.forEach((probability, at) => {
    const side = isYes[at] === 1 ? yes : no
    side.low = Math.min(side.low, probability)
    side.high = Math.max(side.high, probability)
    likelihood += Math.log(isYes[at] === 1 ? clipped(probability) : 1 - clipped(probability))
  })
  const turn = turnOf(no, yes)
  return turn && { p: Math.exp(likelihood), turn }
}

interface Side {
  low: number
  high: number
}

const emptySide = (): Side => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY })

function turnOf(no: Side, yes: Side): SeparationTest["turn"] | null {
  if (no.low > no.high) return "higher"
  if (yes.low > yes.high) return "lower"
  if (yes.low > no.high) return "apart"
  return yes.high < no.low ? "backwards" : null
}

function newtonStep(x: Float64Array, isYes: Uint8Array, intercept: number, slope: number): [number, number] {
  let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0]
  for (let at = 0; at < x.length; at++) {
    const each = x[at] ?? 0
    const fitted = logistic(intercept + slope * each)
    const rest = (isYes[at] ?? 0) - fitted
    const weight = fitted * (1 - fitted)
    ga += rest
    gb += rest * each
    haa += weight
    hab += weight * each
    hbb += weight * each * each
  }
  const determinant = haa * hbb - hab * hab
  return [(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant]
}

export interface CalibrationSize {
  /** The mean squared distance of forecast and observed share without what chance adds. Below 0 by chance. */
  squared: number
  /** What chance alone adds to the squared distance. */
  chance: number
}

/**
 * Returns the debiased squared calibration error over equal-mass bins: `Σ nₖ/n · [(p̄ₖ − ȳₖ)² − ȳₖ(1 − ȳₖ)/(nₖ − 1)]`. Source: Kumar,
 * Liang and Ma (2019), "Verified uncertainty calibration". Bins of one row say nothing and are left out.
 */
export function calibrationSize(forecasts: Forecasts): CalibrationSize {
  let [squared, chance] = [0, 0]
  for (const { count, forecast, observed } of equalMassBins(forecasts)) {
    if (count < 2) continue
    const share = count / forecasts.isYes.length
    const expected = (observed * (1 - observed)) / (count - 1)
    squared += share * ((forecast - observed) ** 2 - expected)
    chance += share * expected
  }
  return { squared, chance }
}
