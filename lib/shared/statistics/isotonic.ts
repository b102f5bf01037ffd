import type { Interval } from "./binomial"
import { type BootstrapOptions, quantile } from "./bootstrap"
import { type Forecasts, logLossOf } from "./forecasts"
import { seededRandom } from "./random"

/** A run of forecasts with one recalibrated probability. */
export interface IsotonicStep {
  from: number
  to: number
  /** The share of the rows of the step whose true answer is yes. */
  observed: number
  rows: number
}

/** Rows whose shares are pooled. `first` is the place of the first row. */
interface Block {
  first: number
  rows: number
  yes: number
}

/** Pools adjacent rows until shares rise. Equal forecasts are one block from the start. */
function pooled(probabilities: Float64Array, isYes: ArrayLike<number>): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < probabilities.length; ) {
    const block = { first: at, rows: 0, yes: 0 }
    for (; at < probabilities.length && probabilities[at] === probabilities[block.first]; at++) {
      block.rows++
      block.yes += isYes[at] ?? 0
    }
    for (let last = blocks.at(-1); last && last.yes * block.rows >= block.yes * last.rows; last = blocks.at(-1)) {
      block.first = last.first
      block.rows += last.rows
      block.yes += last.yes
      blocks.pop()
    }
    blocks.push(block)
  }
  return blocks
}

/**
 * Returns the rising steps that fit the true answers best, lowest forecasts first: the CORP reliability diagram. By pooling adjacent
 * violators. Source: Dimitriadis, Gneiting and Jordan (2021), "Stable reliability diagrams for probabilistic classifiers".
 */
export const isotonicSteps = ({ probabilities, isYes }: Forecasts): IsotonicStep[] =>
  pooled(probabilities, isYes).map(({ first, rows, yes }) => ({
    from: probabilities[first] ?? 0,
    to: probabilities[first + rows - 1] ?? 0,
    observed: yes / rows,
    rows,
  }))

/** A mean score is `miscalibration − discrimination + uncertainty`. */
export interface CorpParts {
  /** What recalibration would gain; 0 is best. */
  miscalibration: number
  /** What the recalibrated forecasts gain over the base rate; more is better. */
  discrimination: number
  /** The score of the base rate. */
  uncertainty: number
}

const SCORES = {
  brier: (forecast: number, yes: number) => (forecast - yes) ** 2,
  logLoss: (forecast: number, yes: number) => logLossOf(yes ? forecast : 1 - forecast),
}

/** Splits a score by the isotonic steps (Dimitriadis, Gneiting and Jordan, 2021). Unlike with bins, nothing is left over. */
export function corpParts(forecasts: Forecasts, score: keyof typeof SCORES = "brier"): CorpParts {
  const { probabilities, isYes } = forecasts
  const rows = isYes.length
  const lossOf = SCORES[score]
  const rate = isYes.reduce((sum, yes) => sum + yes, 0) / rows
  let [own, recalibrated, constant, at] = [0, 0, 0, 0]
  for (const step of isotonicSteps(forecasts))
    for (const end = at + step.rows; at < end; at++) {
      const yes = isYes[at] ?? 0
      own += lossOf(probabilities[at] ?? 0, yes)
      recalibrated += lossOf(step.observed, yes)
      constant += lossOf(rate, yes)
    }
  return {
    miscalibration: (own - recalibrated) / rows,
    discrimination: (constant - recalibrated) / rows,
    uncertainty: constant / rows,
  }
}

/** A band at one forecast. */
export interface BandPoint extends Interval {
  at: number
}

const POINTS = 60

/**
 * Returns where the steps of a perfectly calibrated model with these forecasts lie in 95% of all samples, at up to 60 forecasts
 * spread over the rows. True answers are drawn from the forecasts. Source: Dimitriadis, Gneiting and Jordan (2021), consistency bands.
 */
export function consistencyBand(
  { probabilities }: Forecasts,
  { seed, replicates = 400 }: BootstrapOptions,
): BandPoint[] {
  const rows = probabilities.length
  const { share } = seededRandom(seed)
  const count = Math.min(POINTS, rows)
  const places = Array.from({ length: count }, (_, at) => Math.round((at * (rows - 1)) / Math.max(1, count - 1)))
  const drawn = places.map(() => new Float64Array(replicates))
  const isYes = new Uint8Array(rows)
  for (let replicate = 0; replicate < replicates; replicate++) {
    for (let at = 0; at < rows; at++) isYes[at] = share() < (probabilities[at] ?? 0) ? 1 : 0
    const blocks = pooled(probabilities, isYes)
    let block = 0
    for (const [at, place] of places.entries()) {
      while (place >= (blocks[block + 1]?.first ?? rows)) block++
      const { yes = 0, rows: size = 1 } = blocks[block] ?? {}
      const values = drawn[at]
      if (values) values[replicate] = yes / size
    }
  }
  const points = places.map((place, at) => {
    const sorted = (drawn[at] ?? new Float64Array()).sort()
    return { at: probabilities[place] ?? 0, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
  })
  return points.filter(({ at }, place) => at !== points[place - 1]?.at)
}
