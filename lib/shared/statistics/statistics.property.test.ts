import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cheapestBand, checkBand, type DecisionBand, meanCost, widestBand } from "./band"
import { allowedErrors, upperBound, wilsonInterval } from "./binomial"
import { confusionOf, macroF1, quadraticKappaOf } from "./classes"
import { checkThreshold, coverageCurve, widestThreshold } from "./coverage"
import {
  baseRateBrier,
  brier,
  calibrationError,
  decomposeBrier,
  equalMassBins,
  evenWeights,
  type Forecasts,
  logLoss,
  rocAuc,
  sortForecasts,
} from "./forecasts"
import { stratifiedHalves } from "./halves"

type Row = readonly [p: number, isYes: boolean]
/** Probabilities of few decimals, so that ties are common. */
const probability = fc.oneof(
  fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  fc.integer({ min: 0, max: 1e6 }).map((millionths) => millionths / 1e6),
)
const rowList = (max: number) => fc.array(fc.tuple(probability, fc.boolean()), { minLength: 1, maxLength: max })
const forecastsOf = (rows: readonly Row[]): Forecasts =>
  sortForecasts(
    rows.map(([p]) => p),
    rows.map(([, isYes]) => isYes),
  )
const figuresOf = (rows: readonly Row[]) => {
  const forecasts = forecastsOf(rows)
  const even = evenWeights(rows.length)
  return [brier, logLoss, rocAuc, calibrationError].map((figure) => figure(forecasts)(even))
}
const closeTo = (found: readonly number[], expected: readonly number[]) => {
  for (const [at, value] of expected.entries()) {
    if (Number.isNaN(value)) expect(found[at]).toBeNaN()
    else expect(found[at]).toBeCloseTo(value, 9)
  }
}

describe("forecasts", () => {
  test("figures do not depend on the order of rows", () => {
    fc.assert(
      fc.property(
        rowList(60).chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        ([rows, shuffled]) => closeTo(figuresOf(shuffled), figuresOf(rows)),
      ),
    )
  })

  test("a perfect forecaster has Brier score 0, log loss 0, no calibration error and AUC 1", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (answers) => {
        const isMixed = new Set(answers).size === 2
        const found = figuresOf(answers.map((isYes) => [Number(isYes), isYes]))
        closeTo(found, [0, 0, isMixed ? 1 : Number.NaN, 0])
      }),
    )
  })

  test("a forecaster of the base rate has its Brier score, AUC 0.5, and neither reliability nor resolution", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (answers) => {
        const rate = answers.filter(Boolean).length / answers.length
        const forecasts = forecastsOf(answers.map((isYes) => [rate, isYes]))
        const even = evenWeights(answers.length)
        const { reliability, resolution } = decomposeBrier(forecasts)
        closeTo([brier(forecasts)(even)], [baseRateBrier(forecasts)(even)])
        closeTo([rocAuc(forecasts)(even)], [rate > 0 && rate < 1 ? 0.5 : Number.NaN])
        closeTo([reliability, resolution], [0, 0])
      }),
    )
  })

  test("a monotone recalibration leaves AUC and the rows of each bin unchanged", () => {
    fc.assert(
      fc.property(rowList(60), (rows) => {
        const before = forecastsOf(rows)
        const after = forecastsOf(rows.map(([p, isYes]) => [0.1 + 0.4 * p * (1 + p), isYes]))
        const even = evenWeights(rows.length)
        closeTo([rocAuc(after)(even)], [rocAuc(before)(even)])
        expect(equalMassBins(after).map(({ count, yes }) => [count, yes])).toEqual(
          equalMassBins(before).map(({ count, yes }) => [count, yes]),
        )
      }),
    )
  })

  test("every row is in one bin, and equal probabilities share a bin", () => {
    fc.assert(
      fc.property(rowList(80), (rows) => {
        const bins = equalMassBins(forecastsOf(rows))
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length)
        for (const [at, { from }] of bins.entries()) expect(from).toBeGreaterThan(bins[at - 1]?.to ?? -1)
      }),
    )
  })
})

test("perfect predictions have macro-F1 and kappa 1, in any order of rows", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: 1, maxLength: 60 }), (labels) => {
      const rows = { count: 5, labels, predicted: labels }
      const cells = confusionOf(rows)
      const f1 = macroF1(rows)(evenWeights(labels.length))
      const isMixed = new Set(labels).size > 1
      closeTo([f1, quadraticKappaOf(cells)], [1, isMixed ? 1 : Number.NaN])
    }),
  )
})

test("a share is inside its Wilson interval and below its upper bound", () => {
  fc.assert(
    fc.property(fc.nat(400), fc.nat(400), (a, b) => {
      const [successes, trials] = [Math.min(a, b), Math.max(a, b, 1)]
      const interval = wilsonInterval(successes, trials)
      const share = successes / trials
      expect(interval && interval.low <= share && share <= interval.high).toBe(true)
      expect(upperBound(successes, trials)).toBeGreaterThanOrEqual(share)
    }),
  )
})

test("the table of allowed errors agrees with the upper bound", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 999 }), (trials, thousandths) => {
      const target = thousandths / 1000
      const allowed = allowedErrors(trials, target)[trials] ?? -1
      if (allowed >= 0) expect(upperBound(allowed, trials)).toBeLessThanOrEqual(target + 1e-9)
      if (allowed < trials) expect(upperBound(allowed + 1, trials)).toBeGreaterThan(target - 1e-9)
    }),
  )
})

/** All bands that differ on these rows. */
function allBands(rows: readonly Row[]): DecisionBand[] {
  const values = [...new Set(rows.map(([p]) => p))].sort((a, b) => a - b)
  const cuts = [0, ...values, 1]
  return [null, ...cuts].flatMap((low) =>
    [...cuts, null].flatMap((high) => ((low ?? 0) <= (high ?? 1) ? [{ low, high }] : [])),
  )
}

describe("bands", () => {
  const unit = fc.integer({ min: 0, max: 20 })

  test("no band is cheaper than the cheapest", () => {
    fc.assert(
      fc.property(rowList(14), unit, unit, unit, (rows, falseYes, falseNo, review) => {
        const costs = { falseYes, falseNo, review }
        const forecasts = forecastsOf(rows)
        const cost = (band: DecisionBand) => meanCost(checkBand(forecasts, band), costs)
        const found = cheapestBand(forecasts, costs)
        expect(found.low ?? 0).toBeLessThanOrEqual(found.high ?? 1)
        expect(cost(found)).toBeCloseTo(Math.min(...allBands(rows).map(cost)), 9)
      }),
    )
  })

  test("no band with a good enough bound decides more rows than the widest", () => {
    fc.assert(
      fc.property(rowList(14), fc.integer({ min: 10, max: 90 }), (rows, percent) => {
        const forecasts = forecastsOf(rows)
        const checks = allBands(rows).map((band) => checkBand(forecasts, band))
        const good = checks.filter(({ errorBound }) => errorBound <= percent / 100)
        const found = widestBand(forecasts, percent / 100)
        const check = found && checkBand(forecasts, found)
        expect(check?.automatic ?? 0).toBe(Math.max(0, ...good.map(({ automatic }) => automatic)))
        if (check) expect(check.errorBound).toBeLessThanOrEqual(percent / 100)
      }),
    )
  })

  test("no threshold with a good enough bound decides more rows than the widest", () => {
    fc.assert(
      fc.property(rowList(40), fc.integer({ min: 5, max: 90 }), (rows, percent) => {
        const curve = coverageCurve(
          rows.map(([p]) => p),
          rows.map(([, isRight]) => isRight),
        )
        const good = curve.filter(({ decided, wrong }) => upperBound(wrong, decided) <= percent / 100)
        const found = widestThreshold(curve, percent / 100)
        const decided = found === null ? 0 : checkThreshold(curve, found).automatic
        expect(decided).toBe(Math.max(0, ...good.map((point) => point.decided)))
      }),
    )
  })
})

test("halves hold every row once, and split every class evenly", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 80 }), fc.integer(), (classes, seed) => {
      const { choose, check } = stratifiedHalves(classes, seed)
      expect([...choose, ...check].sort((a, b) => a - b)).toEqual(classes.map((_, row) => row))
      expect(Math.abs(choose.length - check.length)).toBeLessThanOrEqual(1)
      const count = (rows: Uint32Array, name: number) => rows.filter((row) => classes[row] === name).length
      for (const name of new Set(classes))
        expect(Math.abs(count(choose, name) - count(check, name))).toBeLessThanOrEqual(1)
      expect(stratifiedHalves(classes, seed)).toEqual({ choose, check })
    }),
  )
})
