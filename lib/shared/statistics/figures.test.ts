import { describe, expect, test } from "vitest"
import { printFigure } from "@/test/figures"
import { binomialCdf, mcnemarExact, upperBound, wilsonInterval } from "./binomial"
import { bootstrap, normalCdf, normalQuantile } from "./bootstrap"
import {
  absoluteErrors,
  classFigures,
  confusionOf,
  macroF1,
  medianLevel,
  quadraticKappaOf,
  signedErrors,
  withinOneLevel,
} from "./classes"
import figures from "./fixture/figures.json"
import {
  brier,
  calibrationError,
  decomposeBrier,
  equalMassBins,
  evenWeights,
  logLoss,
  mean,
  rocAuc,
  sortForecasts,
} from "./forecasts"

// The figures of scikit-learn and SciPy, with their inputs and versions. fixture/compute.py has written them.
const DIGITS = 12

describe.each(figures.forecasts)("forecasts $name", ({ name, probabilities, isYes, weights, ...expected }) => {
  const sorted = sortForecasts(probabilities, isYes)
  const even = evenWeights(isYes.length)
  printFigure(`forecasts ${name}, here and in scikit-learn`, {
    brier: [brier(sorted)(even), expected.brier],
    logLoss: [logLoss(sorted)(even), expected.logLoss],
    rocAuc: [rocAuc(sorted)(even), expected.rocAuc],
    calibrationError: [calibrationError(sorted)(even), expected.calibrationError],
    reliability: [decomposeBrier(sorted).reliability, expected.reliability],
    resolution: [decomposeBrier(sorted).resolution, expected.resolution],
  })

  test("have the Brier score, log loss and AUC of scikit-learn", () => {
    expect(brier(sorted)(even)).toBeCloseTo(expected.brier, DIGITS)
    expect(logLoss(sorted)(even)).toBeCloseTo(expected.logLoss, DIGITS)
    expect(rocAuc(sorted)(even)).toBeCloseTo(expected.rocAuc, DIGITS)
  })

  test("have the same figures as scikit-learn with weights", () => {
    const inOrder = Array.from(sorted.rows, (row) => weights[row] ?? 0)
    expect(brier(sorted)(inOrder)).toBeCloseTo(expected.weighted.brier, DIGITS)
    expect(logLoss(sorted)(inOrder)).toBeCloseTo(expected.weighted.logLoss, DIGITS)
    expect(rocAuc(sorted)(inOrder)).toBeCloseTo(expected.weighted.rocAuc, DIGITS)
  })

  test("have the bins of scikit-learn's calibration curve", () => {
    const bins = equalMassBins(sorted)
    expect(bins.map(({ count }) => count)).toEqual(expected.bins.counts)
    for (const [at, { observed, forecast }] of bins.entries()) {
      expect(observed).toBeCloseTo(expected.bins.observed[at] ?? Number.NaN, DIGITS)
      expect(forecast).toBeCloseTo(expected.bins.forecast[at] ?? Number.NaN, DIGITS)
    }
    expect(calibrationError(sorted)(even)).toBeCloseTo(expected.calibrationError, DIGITS)
  })

  test("have the decomposition of these bins", () => {
    const { reliability, resolution, uncertainty, withinBins } = decomposeBrier(sorted)
    expect(reliability).toBeCloseTo(expected.reliability, DIGITS)
    expect(resolution).toBeCloseTo(expected.resolution, DIGITS)
    expect(uncertainty).toBeCloseTo(expected.uncertainty, DIGITS)
    expect(reliability - resolution + uncertainty + withinBins).toBeCloseTo(expected.brier, DIGITS)
  })
})

test("weights count a row as often as repeating it would", () => {
  const [first] = figures.forecasts
  if (!first) throw new Error("the fixture is empty")
  const repeat = <Value>(values: Value[]) =>
    values.flatMap((value, row) => new Array<Value>(first.weights[row] ?? 0).fill(value))
  const repeated = sortForecasts(repeat(first.probabilities), repeat(first.isYes))
  const sorted = sortForecasts(first.probabilities, first.isYes)
  const weights = Array.from(sorted.rows, (row) => first.weights[row] ?? 0)
  const counts = (bins: { count: number; yes: number }[]) => bins.map(({ count, yes }) => [count, yes])
  expect(counts(equalMassBins(sorted, weights))).toEqual(counts(equalMassBins(repeated)))
})

describe.each(figures.classes)("classes $name", ({ name, count, labels, predicted, ...expected }) => {
  const cells = confusionOf({ count, labels, predicted })
  printFigure(`classes ${name}, here and in scikit-learn`, {
    macroF1: [macroF1({ count, labels, predicted })(evenWeights(labels.length)), expected.macroF1],
    quadraticKappa: [quadraticKappaOf(cells), expected.quadraticKappa],
  })

  test("have the confusion matrix, macro-F1 and kappa of scikit-learn", () => {
    expect(cells).toEqual(expected.confusion)
    expect(macroF1({ count, labels, predicted })(evenWeights(labels.length))).toBeCloseTo(expected.macroF1, DIGITS)
    expect(quadraticKappaOf(cells)).toBeCloseTo(expected.quadraticKappa, DIGITS)
  })

  test("have the figures of each class of scikit-learn", () => {
    const found = classFigures(cells)
    expect(found.map((each) => each.labels)).toEqual(expected.support)
    for (const [at, { precision, recall, f1 }] of found.entries()) {
      expect(precision ?? 0).toBeCloseTo(expected.precision[at] ?? Number.NaN, DIGITS)
      expect(recall ?? 0).toBeCloseTo(expected.recall[at] ?? Number.NaN, DIGITS)
      expect(f1).toBeCloseTo(expected.f1[at] ?? Number.NaN, DIGITS)
    }
  })
})

test("scores have the errors of scikit-learn and NumPy", () => {
  const { scores } = figures
  const even = evenWeights(scores.labels.length)
  expect(mean(absoluteErrors(scores), even)).toBeCloseTo(scores.meanAbsoluteError, DIGITS)
  expect(mean(signedErrors(scores), even)).toBeCloseTo(scores.bias, DIGITS)
  expect(mean(withinOneLevel(scores), even)).toBeCloseTo(scores.withinOne, DIGITS)
  expect(medianLevel(scores)).toBe(scores.medianLevel)
})

test.each(figures.shares)("$successes of $trials has the interval and bounds of SciPy", (each) => {
  const { successes, trials } = each
  const wilson = wilsonInterval(successes, trials)
  expect(wilson?.low).toBeCloseTo(each.wilson[0] ?? Number.NaN, DIGITS)
  expect(wilson?.high).toBeCloseTo(each.wilson[1] ?? Number.NaN, DIGITS)
  expect(upperBound(successes, trials)).toBeCloseTo(each.upperBound, 10)
  expect(binomialCdf(successes, trials, 0.02)).toBeCloseTo(each.cdfAt002, 10)
  expect(binomialCdf(successes, trials, 0.5)).toBeCloseTo(each.cdfAtHalf, 10)
})

test.each(figures.mcnemar)("McNemar's test of %i and %i has the p-value of SciPy", (b, c, p) => {
  expect(mcnemarExact(b, c)).toBeCloseTo(p, DIGITS)
})

test("the normal distribution is that of SciPy", () => {
  for (const [at, z] of figures.normal.z.entries()) {
    const share = figures.normal.cdf[at] ?? Number.NaN
    expect(normalCdf(z)).toBeCloseTo(share, DIGITS)
    if (Math.abs(z) < 5) expect(normalQuantile(share)).toBeCloseTo(z, 8)
  }
})

test("bootstrap intervals of a skewed sample are those of SciPy's BCa, within 5% of their width", () => {
  const { values, ...expected } = figures.bootstrap
  const variance = (weights: ArrayLike<number>) => {
    const middle = mean(values, weights)
    return mean(
      values.map((value) => (value - middle) ** 2),
      weights,
    )
  }
  const found = bootstrap(
    values.length,
    { mean: (weights) => mean(values, weights), variance },
    { seed: 2, replicates: 20_000 },
  )
  for (const name of ["mean", "variance"] as const) {
    const [low = Number.NaN, high = Number.NaN] = expected[name]
    expect(Math.abs((found[name]?.low ?? Number.NaN) - low)).toBeLessThan(0.05 * (high - low))
    expect(Math.abs((found[name]?.high ?? Number.NaN) - high)).toBeLessThan(0.05 * (high - low))
  }
})

test.each([150, 500, 5_000])("the upper bound of %i rows covers every small error rate with 95%% or more", (trials) => {
  const bounds = Array.from({ length: trials + 1 }, (_, errors) =>
    errors < trials / 5 ? upperBound(errors, trials) : 1,
  )
  for (let rate = 0.0005; rate < 0.1; rate += 0.0005) {
    const covered = bounds.findIndex((bound) => bound >= rate)
    expect(1 - binomialCdf(covered - 1, trials, rate)).toBeGreaterThanOrEqual(0.95 - 1e-9)
  }
})
