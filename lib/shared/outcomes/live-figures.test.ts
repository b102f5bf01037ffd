import { expect, test } from "vitest"
import { seededRandom } from "@/lib/shared/statistics/random"
import { type LiveOutcome, type LiveRule, liveFigures } from "./live-figures"

const RULE: LiveRule = { from: 0.8, below: 0.2, targetAbove: 0.05, targetBelow: 0.05 }
const MONDAY_MS = Date.parse("2026-11-23T00:00:00Z")

const outcome = (predicted: number, happened: boolean, more: Partial<LiveOutcome> = {}): LiveOutcome => ({
  ...{ predicted, happened, atMs: MONDAY_MS, sampledShare: null },
  ...more,
})

test("each side has its own answers and errors, and answers between the thresholds belong to none", () => {
  const outcomes = [
    ...[outcome(0.8, true), outcome(0.9, false), outcome(0.95, true), outcome(1, true)],
    ...[outcome(0.1, false), outcome(0, true)],
    ...[outcome(0.2, true), outcome(0.79, false)],
  ]
  const { sides } = liveFigures(outcomes, RULE)
  expect(sides).toMatchObject([
    { side: "above", answers: 4, errors: 1, rate: 0.25, weightedRate: null },
    { side: "below", answers: 2, errors: 1, rate: 0.5, weightedRate: null },
  ])
})

test("a side that is never automatic has no figures", () => {
  expect(liveFigures([outcome(0.9, true)], { ...RULE, below: null }).sides.map(({ side }) => side)).toEqual(["above"])
  expect(liveFigures([outcome(0.9, true)], { ...RULE, from: null, below: null }).sides).toEqual([])
})

test("a side without answers has no rate, and an interval that excludes nothing", () => {
  const [, below] = liveFigures([outcome(0.9, true)], RULE).sides
  expect(below).toMatchObject({ answers: 0, rate: null, interval: { low: 0, high: 1 } })
})

test("answers count for as many as their sampled share stands for, once the shares differ", () => {
  const reviewed = [outcome(0.9, false, { sampledShare: 1 }), outcome(0.9, false, { sampledShare: 1 })]
  const sampled = [outcome(0.9, true, { sampledShare: 0.25 }), outcome(0.9, false, { sampledShare: 0.25 })]
  const rateOf = (outcomes: LiveOutcome[]) => liveFigures(outcomes, RULE).sides[0]?.weightedRate
  // 2 and 4 of 2 + 8 answers.
  expect(rateOf([...reviewed, ...sampled])).toBeCloseTo(0.6, 12)
  expect(rateOf(sampled)).toBeNull()
  expect(rateOf([...reviewed, ...sampled, outcome(0.9, true)])).toBeNull()
})

test("weeks begin on Mondays in UTC, and have the means of their outcomes", () => {
  const outcomes = [
    outcome(0.9, false, { atMs: MONDAY_MS - 1 }),
    outcome(0.5, true, { atMs: MONDAY_MS }),
    outcome(0.9, true, { atMs: MONDAY_MS + 7 * 86_400_000 - 1 }),
  ]
  expect(liveFigures(outcomes, RULE).weeks).toEqual([
    { monday: "2026-11-16", outcomes: 1, predicted: 0.9, happened: 0, automatic: 1, errors: 1 },
    { monday: "2026-11-23", outcomes: 2, predicted: 0.7, happened: 1, automatic: 1, errors: 0 },
  ])
})

test("the parts of the Brier score add up to it", () => {
  const { share } = seededRandom(63)
  const outcomes = Array.from({ length: 300 }, () => outcome(share(), share() < 0.4))
  const { brier, parts, steps } = liveFigures(outcomes, RULE)
  expect(parts.miscalibration - parts.discrimination + parts.uncertainty).toBeCloseTo(brier, 12)
  expect(steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(300)
})

test("the band holds a calibrated model's steps, and is left out above 5,000 outcomes", () => {
  const { share } = seededRandom(64)
  const outcomes = Array.from({ length: 5_001 }, () => {
    const predicted = share()
    return outcome(predicted, share() < predicted)
  })
  const { band } = liveFigures(outcomes.slice(1), RULE)
  const nearHalf = band.filter(({ at }) => at > 0.4 && at < 0.6)
  expect(nearHalf.length).toBeGreaterThan(5)
  for (const { at, low, high } of nearHalf) {
    expect(low).toBeGreaterThan(at - 0.15)
    expect(low).toBeLessThan(at)
    expect(high).toBeGreaterThan(at)
    expect(high).toBeLessThan(at + 0.15)
  }
  expect(liveFigures(outcomes, RULE).band).toEqual([])
})
