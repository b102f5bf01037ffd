import { expect, test } from "vitest"
import figures from "./fixture/figures.json"
import { brier, evenWeights, mean, rocAuc, sortForecasts } from "./forecasts"
import { compareRight, inRowOrder, pairedDifferences } from "./paired"

const [calibrated] = figures.forecasts
if (!calibrated) throw new Error("the fixture is empty")
const { probabilities, isYes } = calibrated
const rows = isYes.length
const statisticsOf = (forecasts: number[]) => {
  const sorted = sortForecasts(forecasts, isYes)
  return { brier: inRowOrder(sorted, brier(sorted)), rocAuc: inRowOrder(sorted, rocAuc(sorted)) }
}
const first = statisticsOf(probabilities)
const squared = statisticsOf(probabilities.map((p) => p ** 2))
const options = { seed: 3, replicates: 1_000 }

test("a statistic in row order reads the weights of its own rows", () => {
  const sorted = sortForecasts(probabilities, isYes)
  const weights = probabilities.map((_, row) => (row === 4 ? 1 : 0))
  expect(inRowOrder(sorted, brier(sorted))(weights)).toBeCloseTo(((probabilities[4] ?? 0) - (isYes[4] ?? 0)) ** 2, 12)
  expect(first.brier(evenWeights(rows))).toBeCloseTo(calibrated.brier, 12)
})

test("a run does not differ from itself", () => {
  expect(pairedDifferences(rows, first, first, options)).toEqual({
    brier: { difference: 0, interval: null },
    rocAuc: { difference: 0, interval: null },
  })
})

test("squared probabilities keep the AUC and worsen the Brier score beyond chance", () => {
  const { brier: worse, rocAuc: same } = pairedDifferences(rows, first, squared, options)
  expect(same).toEqual({ difference: 0, interval: null })
  expect(worse.difference).toBeGreaterThan(0)
  expect(worse.interval?.low).toBeGreaterThan(0)
})

test("a paired interval is that of the mean difference, and narrower than the intervals of both runs", () => {
  const losses = (forecasts: number[]) => forecasts.map((p, row) => (p - (isYes[row] ?? 0)) ** 2)
  const other = losses(probabilities.map((p) => p ** 2))
  const gaps = losses(probabilities).map((loss, row) => (other[row] ?? 0) - loss)
  const direct = pairedDifferences(
    rows,
    { gap: () => 0 },
    { gap: (weights: ArrayLike<number>) => mean(gaps, weights) },
    options,
  )
  const { brier: paired } = pairedDifferences(rows, first, squared, options)
  const [low, high] = [paired.interval?.low ?? Number.NaN, paired.interval?.high ?? Number.NaN]
  expect(low).toBeCloseTo(direct.gap.interval?.low ?? Number.NaN, 9)
  expect(high).toBeCloseTo(direct.gap.interval?.high ?? Number.NaN, 9)
  const alone = pairedDifferences(rows, { brier: () => 0 }, { brier: squared.brier }, options).brier.interval
  expect(high - low).toBeLessThan((alone?.high ?? 0) - (alone?.low ?? 0))
})

test("rows are counted by which run is right, with McNemar's p-value", () => {
  const right = (text: string) => [...text].map((letter) => letter === "r")
  const { p, ...counts } = compareRight(right("rrrwww"), right("rwwwwr"))
  expect(counts).toEqual({ bothRight: 1, onlyFirst: 2, onlySecond: 1, bothWrong: 2 })
  expect(p).toBeCloseTo(1, 12)
  expect(compareRight(right("rrrrrrrr"), right("wwwwwwww")).p).toBeCloseTo(2 / 2 ** 8, 12)
})
