import type { Interval } from "./binomial"
import { equalMassBins, evenWeights, type Forecasts, type Statistic } from "./forecasts"
import { seededRandom } from "./random"

export interface BootstrapOptions {
  /** A 32-bit integer. */
  seed: number
  replicates?: number
}

const REPLICATES = 2_000
/** Up to this number of rows, the jackknife leaves out one at a time; beyond it, one group of rows at a time. */
const JACKKNIFE_GROUPS = 200

/**
 * Returns a 95% interval of each statistic of the same rows, or null where there is none. All statistics see the same
 * samples, so an interval of a difference is paired when the difference is a statistic.
 *
 * The bias-corrected and accelerated bootstrap (Efron, 1987, "Better bootstrap confidence intervals"). Samples where a
 * statistic is NaN, such as an AUC of one class, do not count.
 */
export function bootstrap<Name extends string>(
  rows: number,
  statistics: Record<Name, Statistic>,
  { seed, replicates = REPLICATES }: BootstrapOptions,
): Record<Name, Interval | null> {
  const names = Object.keys(statistics) as Name[]
  const values = names.map(() => new Float64Array(replicates))
  const random = seededRandom(seed)
  const weights = new Uint32Array(rows)
  for (let replicate = 0; replicate < replicates; replicate++) {
    weights.fill(0)
    for (let draw = 0; draw < rows; draw++) {
      const row = random.below(rows)
      weights[row] = (weights[row] ?? 0) + 1
    }
    for (const [at, name] of names.entries()) {
      const drawn = values[at]
      if (drawn) drawn[replicate] = statistics[name](weights)
    }
  }
  const intervalOf = (name: Name, at: number) =>
    bcaInterval(statistics[name](evenWeights(rows)), values[at] ?? [], jackknife(rows, statistics[name]))
  return Object.fromEntries(names.map((name, at) => [name, intervalOf(name, at)])) as Record<Name, Interval | null>
}

/** Returns the statistic without each group of rows. A row's group is its index modulo the number of groups. */
function jackknife(rows: number, statistic: Statistic): number[] {
  const groups = Math.min(rows, JACKKNIFE_GROUPS)
  return Array.from({ length: groups }, (_, group) =>
    statistic(Uint8Array.from({ length: rows }, (_, row) => (row % groups === group ? 0 : 1))),
  )
}

/** Below this, values differ by rounding only. */
const ROUNDING = 1e-9

/**
 * Returns the interval from replicates and jackknife values. Null when nothing is a number, and when the replicates cannot show
 * chance: they are equal, or so biased that the interval excludes the value, as for a calibration error near 0.
 */
function bcaInterval(value: number, replicates: ArrayLike<number>, jackknifed: readonly number[]): Interval | null {
  const sorted = Float64Array.from(replicates)
    .filter((replicate) => !Number.isNaN(replicate))
    .sort()
  if (sorted.length === 0 || Number.isNaN(value)) return null
  const below = sorted.reduce((sum, replicate) => sum + (replicate < value ? 1 : replicate === value ? 0.5 : 0), 0)
  const bias = normalQuantile(Math.min(1 - 1e-6, Math.max(1e-6, below / sorted.length)))
  const acceleration = accelerationOf(jackknifed.filter((each) => !Number.isNaN(each)))
  const end = (z: number) => quantile(sorted, normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z))))
  const [low, high] = [end(normalQuantile(0.025)), end(normalQuantile(0.975))]
  const isUsable = high - low > ROUNDING && value >= low - ROUNDING && value <= high + ROUNDING
  return isUsable ? { low, high } : null
}

/** `Σ d³ / (6·(Σ d²)^1.5)` with d the mean minus each value; 0 when all values are equal. */
function accelerationOf(jackknifed: readonly number[]): number {
  const middle = jackknifed.reduce((sum, value) => sum + value, 0) / jackknifed.length
  let squares = 0
  let cubes = 0
  for (const value of jackknifed) {
    squares += (middle - value) ** 2
    cubes += (middle - value) ** 3
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0
}

/** Returns a quantile of sorted values, linearly interpolated (Hyndman and Fan, 1996, type 7). */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/**
 * Returns the calibration error that a perfectly calibrated model with these forecasts shows on this many rows by chance:
 * its mean and 95th percentile. True answers are drawn from the forecasts. Source: Bröcker and Smith (2007), "Increasing
 * the reliability of reliability diagrams".
 */
export function calibratedError(
  { probabilities, rows }: Forecasts,
  { seed, replicates = 200 }: BootstrapOptions,
): { mean: number; high: number } {
  const random = seededRandom(seed)
  const errors = Float64Array.from({ length: replicates }, () => {
    const isYes = Uint8Array.from(probabilities, (p) => (random.share() < p ? 1 : 0))
    const bins = equalMassBins({ probabilities, isYes, rows })
    const total = bins.reduce((sum, { count, forecast, observed }) => sum + count * Math.abs(forecast - observed), 0)
    return total / probabilities.length
  })
  return { mean: errors.reduce((sum, error) => sum + error, 0) / replicates, high: quantile(errors.sort(), 0.95) }
}

/** Returns the cumulative standard normal distribution, by the series of Marsaglia (2004), "Evaluating the normal distribution". */
export function normalCdf(z: number): number {
  if (z < -8) return 0
  if (z > 8) return 1
  let sum = z
  let term = z
  for (let n = 3; sum + term !== sum; n += 2) {
    term *= (z * z) / n
    sum += term
  }
  return 0.5 + sum * Math.exp(-0.5 * z * z) * 0.3989422804014327
}

/** Returns the value that a standard normal variable stays below with probability `share`, by bisection. */
export function normalQuantile(share: number): number {
  let low = -8
  let high = 8
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
