import { describe, expect, test } from "vitest"
import { meanInterval, upperBound } from "./binomial"
import { calibrationSize, coxFit } from "./calibration"
import {
  absoluteErrors,
  bestWithinOne,
  confusionOf,
  macroF1,
  quadraticKappaOf,
  rankedErrors,
  roundedScores,
  sharesRanked,
  signedErrors,
  withinOneLevel,
} from "./classes"
import { type CoveragePoint, coverageCurve } from "./coverage"
import choice from "./fixture/ref-choice-5.json"
import sharp from "./fixture/ref-noul-sharp.json"
import ties from "./fixture/ref-noul-ties.json"
import score from "./fixture/ref-score-5.json"
import { brier, calibrationError, evenWeights, logLoss, logLossOf, mean, rocAuc, sortForecasts } from "./forecasts"
import { corpParts, isotonicSteps } from "./isotonic"
import { sideCurves, symmetricCurve } from "./sides"
import { walkCurve } from "./walk"

// The figures of scikit-learn 1.9.1, SciPy 1.17.1 and model-diagnostics 1.5.0 on the same rows, within 1e-6.
const DIGITS = 5.7

const near = (found: object, expected: Record<string, number>) => {
  for (const [name, value] of Object.entries(expected))
    expect((found as Record<string, number>)[name], name).toBeCloseTo(value, DIGITS)
}
const furthest = (curve: CoveragePoint[], target: number, options: Parameters<typeof walkCurve>[2]) => {
  const found = walkCurve(curve, target, options)
  if (!("at" in found)) return found.fault
  const { threshold = 0, decided = 0, wrong = 0 } = curve[found.at] ?? {}
  return [Number(threshold.toFixed(4)), decided, wrong]
}
const POOLED = { fromHalf: true }

/**
 * Returns the area under a curve from its first step on: its error by the share of rows that it decides, by the trapezoidal rule. The
 * reference splits equal confidences, which a curve never does. Here none of them has a wrong row.
 */
const areaOf = (curve: CoveragePoint[], rows: number): number =>
  curve.slice(1).reduce((area, { decided, wrong }, at) => {
    const before = curve[at] ?? { decided: 0, wrong: 0 }
    return area + (((wrong / decided + before.wrong / before.decided) / 2) * (decided - before.decided)) / rows
  }, 0)

describe("ref-noul-sharp", () => {
  const forecasts = sortForecasts(sharp.p, sharp.y)
  const even = evenWeights(200)

  test("has the figures of the references", () => {
    near(
      {
        brier: brier(forecasts)(even),
        logLoss: logLoss(forecasts)(even),
        auc: rocAuc(forecasts)(even),
        ece: calibrationError(forecasts)(even),
        squared: calibrationSize(forecasts).squared,
      },
      { brier: 0.040622, logLoss: 0.138386, auc: 0.990299, ece: 0.034405, squared: 0.001484 },
    )
    near(corpParts(forecasts), { miscalibration: 0.010468, discrimination: 0.219821, uncertainty: 0.249975 })
    near(corpParts(forecasts, "logLoss"), { miscalibration: 0.04595, discrimination: 0.600661, uncertainty: 0.693097 })
    expect(areaOf(symmetricCurve(forecasts), 200)).toBeCloseTo(0.004987, DIGITS)
    near(coxFit(forecasts) ?? {}, { intercept: 0.421734, slope: 1.695714, ratio: 6.851227, p: 0.03253 })
  })

  test("has the isotonic steps of the reference", () => {
    expect(isotonicSteps(forecasts).map(({ to, observed, rows }) => [to, Number(observed.toFixed(6)), rows])).toEqual([
      [0.1438, 0, 83],
      [0.2182, 0.25, 4],
      [0.4192, 0.333333, 15],
      [0.5303, 0.5, 4],
      [0.8536, 0.947368, 19],
      [1, 1, 75],
    ])
  })

  test("has the walks of the reference", () => {
    const curve = symmetricCurve(forecasts)
    expect(furthest(curve, 0.05, POOLED)).toEqual([0.7479, 177, 3])
    expect(furthest(curve, 0.1, POOLED)).toEqual([0.518, 200, 10])
    const { yes, no } = sideCurves(forecasts)
    const risk = 0.025
    expect([0.05, 0.1].map((target) => furthest(yes, target, { risk }))).toEqual([
      [0.8804, 75, 0],
      [0.5303, 95, 2],
    ])
    expect([0.05, 0.1].map((target) => furthest(no, target, { risk }))).toEqual([
      [0.8562, 83, 0],
      [0.7236, 89, 3],
    ])
  })
})

describe("ref-noul-ties", () => {
  const forecasts = sortForecasts(ties.p, ties.y)
  const even = evenWeights(400)

  test("has the figures of the references", () => {
    near(
      {
        brier: brier(forecasts)(even),
        logLoss: logLoss(forecasts)(even),
        auc: rocAuc(forecasts)(even),
        ece: calibrationError(forecasts)(even),
        squared: calibrationSize(forecasts).squared,
      },
      { brier: 0.098805, logLoss: 1.101778, auc: 0.92956, ece: 0.060275, squared: 0.002855 },
    )
    near(corpParts(forecasts), { miscalibration: 0.009613, discrimination: 0.157783, uncertainty: 0.246975 })
    near(coxFit(forecasts) ?? {}, { intercept: -0.001544, slope: 0.269652, ratio: 186.571063 })
    expect(coxFit(forecasts)?.p).toBeCloseTo(3.066e-41, 43)
    const steps = isotonicSteps(forecasts).map(({ to, observed, rows }) => [to, Number(observed.toFixed(6)), rows])
    expect(steps).toHaveLength(9)
    expect([steps.at(0), steps.at(-1)]).toEqual([
      [0.01, 0.019802, 101],
      [1, 0.939891, 183],
    ])
  })

  test("has the walks of the reference, which never split equal probabilities", () => {
    const curve = symmetricCurve(forecasts)
    expect(furthest(curve, 0.05, POOLED)).toBe("surest")
    expect(furthest(curve, 0.1, POOLED)).toEqual([0.89, 319, 20])
    const { yes, no } = sideCurves(forecasts)
    expect(furthest(yes, 0.1, { risk: 0.025 })).toBe("surest")
    expect(furthest(no, 0.1, { risk: 0.025 })).toEqual([0.94, 123, 5])
  })
})

test("ref-choice-5 has the figures and walks of the references", () => {
  const top = choice.P.map((each) => Math.max(...each))
  const predicted = choice.P.map((each, row) => each.indexOf(top[row] ?? 0))
  const right = predicted.map((each, row) => Number(each === choice.y[row]))
  const even = evenWeights(300)
  expect(mean(right, even)).toBeCloseTo(0.89, DIGITS)
  expect(macroF1({ count: 5, labels: choice.y, predicted })(even)).toBeCloseTo(0.89141, DIGITS)
  const losses = choice.P.map((each, row) => logLossOf(each[choice.y[row] ?? 0] ?? 0))
  expect(mean(losses, even)).toBeCloseTo(0.311323, DIGITS)
  near(corpParts(sortForecasts(top, right)), {
    miscalibration: 0.013599,
    discrimination: 0.039905,
    uncertainty: 0.0979,
  })
  const curve = coverageCurve(top, right)
  expect(areaOf(curve, 300)).toBeCloseTo(0.018051, DIGITS)
  expect(furthest(curve, 0.05, POOLED)).toEqual([0.7411, 221, 4])
  expect(furthest(curve, 0.1, POOLED)).toEqual([0.5276, 276, 17])
  const optionWalks = choice.options.map((_, option) => {
    const rows = predicted.flatMap((each, row) => (each === option ? [row] : []))
    const own = coverageCurve(
      rows.map((row) => top[row] ?? 0),
      rows.map((row) => right[row] ?? 0),
    )
    return furthest(own, 0.1, { risk: 0.01 })
  })
  expect(optionWalks.slice(3)).toEqual([
    [0.7444, 48, 0],
    [0.8007, 45, 0],
  ])
  expect(optionWalks.slice(0, 3).every((each) => typeof each === "string")).toBe(true)
})

test("ref-score-5 has the figures and walks of the references", () => {
  const scores = score.P.map((each) => each.reduce((sum, p, level) => sum + p * level, 0))
  const data = { levels: 5, labels: score.y, scores }
  const even = evenWeights(250)
  expect(mean(absoluteErrors(data), even)).toBeCloseTo(0.527398, DIGITS)
  expect(mean(signedErrors(data), even)).toBeCloseTo(0.007752, DIGITS)
  near(meanInterval(signedErrors(data)) ?? {}, { low: -0.07644, high: 0.091944 })
  expect(mean(withinOneLevel(data), even)).toBeCloseTo(0.964, DIGITS)
  expect(quadraticKappaOf(confusionOf(roundedScores(data)))).toBeCloseTo(0.781981, DIGITS)
  expect(bestWithinOne(data)).toBe(2)
  expect(mean(rankedErrors(score.y, score.P), even)).toBeCloseTo(0.086858, DIGITS)
  expect(sharesRanked(data)(even)).toBeCloseTo(0.152356, DIGITS)
  expect(mean(withinOneLevel({ ...data, scores: scores.map(() => 2) }), even)).toBeCloseTo(0.828, DIGITS)
  const within = score.P.map((each, row) =>
    each.reduce((sum, p, level) => sum + (Math.abs(level - Math.round(scores[row] ?? 0)) <= 1 ? p : 0), 0),
  )
  near(corpParts(sortForecasts(within, withinOneLevel(data))), {
    miscalibration: 0.000673,
    discrimination: 0.00123,
    uncertainty: 0.034704,
  })
  const curve = coverageCurve(within, withinOneLevel(data))
  expect(furthest(curve, 0.05, POOLED)).toEqual([0.9734, 132, 1])
  expect(furthest(curve, 0.1, POOLED)).toEqual([0.9278, 250, 9])
})

test("upper bounds are those of the references", () => {
  const found = [upperBound(0, 59), upperBound(1, 93), upperBound(3, 177), upperBound(2, 71), upperBound(13, 400)]
  for (const [at, expected] of [0.049508, 0.049994, 0.043221, 0.086028, 0.051176].entries())
    expect(found[at]).toBeCloseTo(expected, DIGITS)
})
