/**
 * Figures of probabilities of yes against the true answers. Rows are sorted once; every figure then takes linear time.
 *
 * Figures take `weights`, one per row in sorted order: how often a row counts. The bootstrap draws rows by weights, so
 * it never sorts again.
 */
export interface Forecasts {
  /** The probabilities of yes, lowest first. */
  probabilities: Float64Array
  /** 1 for a row whose true answer is yes, else 0. */
  isYes: Uint8Array
  /** The place of each row in the arrays that were sorted. */
  rows: Uint32Array
}

export type Weights = ArrayLike<number>
export type Statistic = (weights: Weights) => number

/** Sorts probabilities of yes, lowest first, with their true answers. */
export function sortForecasts(probabilities: ArrayLike<number>, isYes: ArrayLike<boolean | number>): Forecasts {
  const rows = Uint32Array.from({ length: probabilities.length }, (_, row) => row)
  rows.sort((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0))
  return {
    probabilities: Float64Array.from(rows, (row) => probabilities[row] ?? 0),
    isYes: Uint8Array.from(rows, (row) => Number(isYes[row] ?? 0)),
    rows,
  }
}

/** Counts every row once. */
export const evenWeights = (count: number): Weights => new Uint8Array(count).fill(1)

/** Returns the weighted mean of one value per row; NaN without weight. */
export function mean(values: ArrayLike<number>, weights: Weights): number {
  let sum = 0
  let count = 0
  for (let at = 0; at < values.length; at++) {
    const weight = weights[at] ?? 0
    sum += weight * (values[at] ?? 0)
    count += weight
  }
  return sum / count
}

/** Returns the share of rows whose true answer is yes. */
export const baseRate =
  ({ isYes }: Forecasts): Statistic =>
  (weights) =>
    mean(isYes, weights)

/**
 * Returns the Brier score, 0 (best) to 1: the mean of `(p − y)²`. Source: Brier (1950), "Verification of forecasts
 * expressed in terms of probability".
 */
export function brier({ probabilities, isYes }: Forecasts): Statistic {
  const losses = probabilities.map((p, at) => (p - (isYes[at] ?? 0)) ** 2)
  return (weights) => mean(losses, weights)
}

/** The Brier score of always forecasting the base rate: `ȳ(1 − ȳ)`. */
export function baseRateBrier(forecasts: Forecasts): Statistic {
  const rate = baseRate(forecasts)
  return (weights) => rate(weights) * (1 - rate(weights))
}

/**
 * Probabilities closer to 0 or 1 than this, about 9e-16, are moved to it, so that one row cannot make the log loss
 * infinite. A power of 2 is exact on both ends.
 */
const LOG_LOSS_CLIP = 2 ** -50

/** Returns the loss of one row in nats: `−ln` of the probability of its true answer, clipped by `LOG_LOSS_CLIP`. */
export const logLossOf = (probability: number): number =>
  -Math.log(Math.min(1 - LOG_LOSS_CLIP, Math.max(LOG_LOSS_CLIP, probability)))

/** Returns the log loss in nats, 0 is best: the mean of `−ln p(true answer)`. Source: Good (1952), "Rational decisions". */
export function logLoss({ probabilities, isYes }: Forecasts): Statistic {
  const losses = probabilities.map((p, at) => logLossOf(isYes[at] ? p : 1 - p))
  return (weights) => mean(losses, weights)
}

/** The log loss of always forecasting the base rate: its entropy. */
export const baseRateLogLoss =
  (forecasts: Forecasts): Statistic =>
  (weights) => {
    const rate = baseRate(forecasts)(weights)
    return rate * logLossOf(rate) + (1 - rate) * logLossOf(1 - rate)
  }

/**
 * Returns the area under the ROC curve. It is the probability that a yes row has a higher forecast than a no row; ties count
 * one half. NaN when all answers are equal. Source: Hanley and McNeil (1982).
 */
export const rocAuc =
  ({ probabilities, isYes }: Forecasts): Statistic =>
  (weights) => {
    let noBelow = 0
    let yes = 0
    let wins = 0
    for (let at = 0; at < isYes.length; ) {
      const value = probabilities[at]
      let tiedYes = 0
      let tiedNo = 0
      for (; at < isYes.length && probabilities[at] === value; at++) {
        const weight = weights[at] ?? 0
        if (isYes[at]) tiedYes += weight
        else tiedNo += weight
      }
      wins += tiedYes * (noBelow + tiedNo / 2)
      noBelow += tiedNo
      yes += tiedYes
    }
    return wins / (yes * noBelow)
  }

/** A bin of a reliability diagram. */
export interface Bin {
  count: number
  yes: number
  /** The mean probability of yes. */
  forecast: number
  /** The share of rows whose true answer is yes. */
  observed: number
  /** The lowest and highest probability. */
  from: number
  to: number
}

const BINS = 10

/**
 * Returns bins of about equal size, lowest probabilities first. Equal probabilities share a bin, so a bin may be larger,
 * and empty bins are left out. The edges are linearly interpolated quantiles, as in scikit-learn's
 * `calibration_curve(strategy="quantile")`. Binning by mass follows Nguyen and O'Connor (2015).
 */
export function equalMassBins({ probabilities, isYes }: Forecasts, weights?: Weights, bins = BINS): Bin[] {
  const length = probabilities.length
  let total = length
  if (weights) {
    total = 0
    for (let at = 0; at < length; at++) total += weights[at] ?? 0
  }
  const found: Bin[] = []
  let below = 0
  for (let at = 0, edge = 1; at < length; edge++) {
    const last = edge < bins ? Math.floor((edge * (total - 1)) / bins) : total - 1
    const bin = { count: 0, yes: 0, forecast: 0, observed: 0, from: 0, to: 0 }
    for (; at < length && (below <= last || edge >= bins || probabilities[at] === probabilities[at - 1]); at++) {
      const weight = weights ? (weights[at] ?? 0) : 1
      if (weight === 0) continue
      const p = probabilities[at] ?? 0
      if (bin.count === 0) bin.from = p
      bin.to = p
      bin.count += weight
      bin.yes += weight * (isYes[at] ?? 0)
      bin.forecast += weight * p
      below += weight
    }
    if (bin.count === 0) continue
    bin.forecast /= bin.count
    bin.observed = bin.yes / bin.count
    found.push(bin)
  }
  return found
}

/**
 * Returns the expected calibration error, 0 (best) to 1: the mean distance between forecast and observed share over
 * equal-mass bins, weighted by their rows. `Σ nₖ/n · |p̄ₖ − ȳₖ|`. Source: Naeini, Cooper and Hauskrecht (2015). It is
 * above 0 even for a calibrated model: see `calibratedError`.
 */
export const calibrationError =
  (forecasts: Forecasts, bins = BINS): Statistic =>
  (weights) => {
    let sum = 0
    let count = 0
    for (const bin of equalMassBins(forecasts, weights, bins)) {
      sum += bin.count * Math.abs(bin.forecast - bin.observed)
      count += bin.count
    }
    return sum / count
  }

export interface Decomposition {
  /** The distance of the bins from the diagonal, 0 is best: `Σ nₖ/n · (p̄ₖ − ȳₖ)²`. */
  reliability: number
  /** How far the bins' observed shares are from the base rate, more is better: `Σ nₖ/n · (ȳₖ − ȳ)²`. */
  resolution: number
  /** The Brier score of the base rate: `ȳ(1 − ȳ)`. */
  uncertainty: number
  /**
   * What bins leave out: the spread of the forecasts inside them minus twice its covariance with the answers. 0 when
   * all forecasts of a bin are equal. Source: Stephenson, Coelho and Jolliffe (2008).
   */
  withinBins: number
}

/**
 * Splits the Brier score: `reliability − resolution + uncertainty + withinBins`. Source: Murphy (1973), "A new vector
 * partition of the probability score".
 */
export function decomposeBrier(forecasts: Forecasts, bins = BINS): Decomposition {
  const weights = evenWeights(forecasts.isYes.length)
  const rate = baseRate(forecasts)(weights)
  const uncertainty = rate * (1 - rate)
  let reliability = 0
  let resolution = 0
  for (const { count, forecast, observed } of equalMassBins(forecasts, weights, bins)) {
    const share = count / forecasts.isYes.length
    reliability += share * (forecast - observed) ** 2
    resolution += share * (observed - rate) ** 2
  }
  const withinBins = brier(forecasts)(weights) - (reliability - resolution + uncertainty)
  return { reliability, resolution, uncertainty, withinBins }
}
