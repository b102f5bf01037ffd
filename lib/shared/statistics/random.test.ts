import { expect, test } from "vitest"
import { seededRandom } from "./random"

const SEEDS = 4_000

/** The first numbers of each seed. */
const FIRST = Array.from({ length: SEEDS }, (_, seed) => {
  const { share } = seededRandom(seed)
  return [share(), share(), share()]
})

const columnOf = (at: number): number[] => FIRST.map((numbers) => numbers[at] ?? Number.NaN)

test.each([0, 1, 2])("number %i is spread evenly over small seeds", (at) => {
  const counts = Array.from({ length: 20 }, () => 0)
  for (const share of columnOf(at)) counts[Math.floor(share * 20)] = (counts[Math.floor(share * 20)] ?? 0) + 1
  const distance = counts.reduce((sum, count) => sum + (count - SEEDS / 20) ** 2 / (SEEDS / 20), 0)
  // The 99.9% point of chi-squared with 19 degrees of freedom.
  expect(distance).toBeLessThan(43.82)
})

test.each([1, 2, 4, 8])("the first numbers of seeds that are %i apart are not related", (lag) => {
  const numbers = columnOf(0)
  const products = numbers.slice(lag).map((share, at) => (share - 0.5) * ((numbers[at] ?? 0) - 0.5))
  const correlation = (12 * products.reduce((sum, each) => sum + each, 0)) / products.length
  // Four standard errors.
  expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(SEEDS))
})

test("the same seed gives the same numbers, on every machine", () => {
  const { share, below } = seededRandom(1)
  expect([share(), below(1_000)]).toEqual([0.4116062270477414, 152])
})
