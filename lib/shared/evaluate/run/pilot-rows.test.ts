import { expect, test } from "vitest"
import { stratifiedSample } from "./pilot-rows"

const STRATA = Array.from({ length: 1_000 }, (_, row) => (row % 20 === 0 ? "rare" : row % 4 === 1 ? "quarter" : "rest"))

test("a sample has each label in its share to within one row, in the order of the file", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const drawn = stratifiedSample(STRATA, 100, seed)
    expect(drawn).toHaveLength(100)
    expect(new Set(drawn).size).toBe(100)
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
    const count = (stratum: string) => drawn.filter((row) => STRATA[row] === stratum).length
    expect(Math.abs(count("rare") - 5)).toBeLessThanOrEqual(1)
    expect(Math.abs(count("quarter") - 25)).toBeLessThanOrEqual(1)
  }
})

test("the same seed draws the same rows, and another one others", () => {
  expect(stratifiedSample(STRATA, 10)).toEqual(stratifiedSample(STRATA, 10))
  expect(stratifiedSample(STRATA, 10, 2)).not.toEqual(stratifiedSample(STRATA, 10))
})

test("every row is equally likely, also where no two rows share a label", () => {
  const rows = Array.from({ length: 10 }, (_, row) => String(row))
  const counts = new Array<number>(10).fill(0)
  for (let seed = 1; seed <= 2_000; seed++)
    for (const row of stratifiedSample(rows, 5, seed)) counts[row] = (counts[row] ?? 0) + 1
  // Half of 2,000, and five standard errors.
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(112)
})

test("a sample of as many rows as there are has all of them", () => {
  expect(stratifiedSample(["a", "b", "a"], 100)).toEqual([0, 1, 2])
})
