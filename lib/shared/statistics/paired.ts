import { type Interval, mcnemarExact } from "./binomial"
import { type BootstrapOptions, bootstrap } from "./bootstrap"
import { evenWeights, type Forecasts, type Statistic } from "./forecasts"

/**
 * Returns the same statistic for weights that are in the order of the rows. Sorting puts the forecasts of each run in another
 * order, but a draw of the bootstrap weighs the same rows of both.
 */
export const inRowOrder = ({ rows }: Forecasts, statistic: Statistic): Statistic => {
  const sorted = new Float64Array(rows.length)
  return (weights) => {
    for (let at = 0; at < rows.length; at++) sorted[at] = weights[rows[at] ?? 0] ?? 0
    return statistic(sorted)
  }
}

export interface PairedDifference {
  /** The second run's figure minus the first's. */
  difference: number
  /** Its 95% interval; null where there is none (`bcaInterval`). */
  interval: Interval | null
}

/**
 * Returns the differences of two runs over the same rows. Both runs see the same samples, so what makes a row hard for both
 * cancels out. The statistics of both runs take weights in the same order of rows.
 *
 * The paired bootstrap (Efron and Tibshirani, 1993, "An introduction to the bootstrap", section 8.3).
 */
export function pairedDifferences<Name extends string>(
  rows: number,
  first: Record<Name, Statistic>,
  second: Record<Name, Statistic>,
  options: BootstrapOptions,
): Record<Name, PairedDifference> {
  const names = Object.keys(first) as Name[]
  const differences = Object.fromEntries(
    names.map((name): [Name, Statistic] => [name, (weights) => second[name](weights) - first[name](weights)]),
  ) as Record<Name, Statistic>
  const intervals = bootstrap(rows, differences, options)
  const even = evenWeights(rows)
  return Object.fromEntries(
    names.map((name): [Name, PairedDifference] => [
      name,
      { difference: differences[name](even), interval: intervals[name] },
    ]),
  ) as Record<Name, PairedDifference>
}

/** How two runs are right or wrong on the same rows. */
export interface RightOrWrong {
  bothRight: number
  onlyFirst: number
  onlySecond: number
  bothWrong: number
  /** The p-value of McNemar's exact test: small when one run is right more often than chance explains. */
  p: number
}

/** Counts the rows that both, one or none of two runs got right. */
export function compareRight(first: ArrayLike<boolean | number>, second: ArrayLike<boolean | number>): RightOrWrong {
  const counts = { bothRight: 0, onlyFirst: 0, onlySecond: 0, bothWrong: 0 }
  for (let row = 0; row < first.length; row++) {
    if (first[row]) counts[second[row] ? "bothRight" : "onlyFirst"]++
    else counts[second[row] ? "onlySecond" : "bothWrong"]++
  }
  return { ...counts, p: mcnemarExact(counts.onlyFirst, counts.onlySecond) }
}
