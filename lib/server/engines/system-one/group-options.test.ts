import { expect, test } from "vitest"
import { askInGroups } from "./group-options"

/** A model that follows Luce's axiom: each option has a weight that does not depend on the others. */
function luce(weights: number[]) {
  const calls: number[][] = []
  const ask = async (indexes: number[]) => {
    calls.push(indexes)
    const sum = indexes.reduce((total, i) => total + (weights[i] ?? 0), 0)
    return indexes.map((i) => (weights[i] ?? 0) / sum)
  }
  return { ask, calls }
}

const weightsOf = (count: number) => Array.from({ length: count }, (_, i) => Math.exp(6 * Math.sin(i * i + 1)))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test.each([
  [255, 26],
  [255, 52],
  [53, 52],
  [27, 26],
  [255, 10],
  [255, 3],
  [9, 2],
])("%i options in groups of %i give the same result as all at once, within 1e-12", async (count, most) => {
  const weights = weightsOf(count)
  const { ask, calls } = luce(weights)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const found = await askInGroups(upTo(count), most, ask)
  expect(Math.max(...found.map((p, i) => Math.abs(p - (weights[i] ?? 0) / sum)))).toBeLessThan(1e-12)
  expect(Math.max(...calls.map((indexes) => indexes.length))).toBeLessThanOrEqual(most)
})

test("255 options in groups of 26 take ten calls and a final of twenty", async () => {
  const { ask, calls } = luce(weightsOf(255))
  await askInGroups(upTo(255), 26, ask)
  expect(calls.map((indexes) => indexes.length)).toEqual([26, 25, 26, 25, 26, 25, 26, 25, 26, 25, 20])
  expect(calls.slice(0, 10).flat()).toEqual(upTo(255))
})

test("options that fit are asked once, and their probabilities scaled to sum 1", async () => {
  const calls: number[][] = []
  const ask = async (indexes: number[]) => {
    calls.push(indexes)
    return [1, 3]
  }
  expect(await askInGroups([0, 1], 26, ask)).toEqual([0.25, 0.75])
  expect(calls).toEqual([[0, 1]])
})

test("an option outside the final never exceeds one of its group inside it", async () => {
  // In its group, option 1 is nearly as likely as option 0. In the final round, option 0 gets only 0.1, against the axiom.
  const ask = async (indexes: number[]) => {
    if (indexes.includes(0) && indexes.includes(1)) return [0.51, 0.49]
    if (indexes.includes(0)) return indexes.map((i) => (i === 0 ? 0.1 : 0.9))
    return indexes.map(() => 1 / indexes.length)
  }
  const found = await askInGroups([0, 1, 2, 3], 2, ask)
  expect(found[0]).toBeGreaterThanOrEqual(found[1] ?? 1)
  expect(found.indexOf(Math.max(...found))).toBe(2)
  expect(found.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
})
