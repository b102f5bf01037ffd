import { logGamma } from "./binomial"

/** Rows with a property, and the rest: how many there are, and how many of them are wrong. */
export interface SliceCounts {
  rows: number
  wrong: number
}

const logChoose = (from: number, chosen: number): number =>
  logGamma(from + 1) - logGamma(chosen + 1) - logGamma(from - chosen + 1)

/**
 * Returns the one-sided p-value of Fisher's exact test: how likely a slice has at least as many wrong rows when it is wrong as often
 * as the rest. 1 without a rest.
 *
 * `P(X ≥ wrong)` of the hypergeometric distribution. Source: Fisher (1935), "The logic of inductive inference".
 */
export function fisherGreater(slice: SliceCounts, rest: SliceCounts): number {
  const all = slice.rows + rest.rows
  const wrong = slice.wrong + rest.wrong
  const right = all - wrong
  const least = Math.max(0, slice.rows - right)
  const most = Math.min(slice.rows, wrong)
  const mass = (count: number) =>
    Math.exp(logChoose(wrong, count) + logChoose(right, slice.rows - count) - logChoose(all, slice.rows))
  const next = (count: number) =>
    ((wrong - count) * (slice.rows - count)) / ((count + 1) * (right - slice.rows + count + 1))
  let sum = 0
  // The tail away from the mean is summed outwards: its first term is its largest.
  if (slice.wrong * all > slice.rows * wrong) {
    for (let count = slice.wrong, term = mass(count); count <= most; term *= next(count), count++) sum += term
    return Math.min(1, sum)
  }
  let term = slice.wrong > least ? mass(slice.wrong - 1) : 0
  for (let count = slice.wrong - 1; count >= least; count--) {
    sum += term
    term /= next(count - 1)
  }
  return Math.max(0, 1 - sum)
}

/**
 * Returns the q-value of each p-value, in their order: the smallest false discovery rate at which it counts.
 *
 * `min over j ≥ i of p(j)·m/j`. Source: Benjamini and Hochberg (1995), "Controlling the false discovery rate".
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => (pValues[b] ?? 0) - (pValues[a] ?? 0))
  const found = new Array<number>(pValues.length)
  let least = 1
  for (const [place, at] of order.entries()) {
    least = Math.min(least, ((pValues[at] ?? 0) * pValues.length) / (pValues.length - place))
    found[at] = least
  }
  return found
}
