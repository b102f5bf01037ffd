import { describe, expect, test } from "vitest"
import { printFigure } from "@/test/figures"
import { testScale } from "@/test/scale"
import { bandChooser, checkBand, type DecisionBand } from "./band"
import { binomialCdf } from "./binomial"
import { checkThreshold, chooseThreshold, coverageCurve } from "./coverage"
import { type Forecasts, sortForecasts } from "./forecasts"
import { stratifiedHalves } from "./halves"
import { type Random, seededRandom } from "./random"

// Sets are drawn from populations whose error rates are known. "At most 2% wrong" may be exceeded in 5% of the sets.
// TEST_SCALE=10 draws 10,000 sets for yes/no questions and as many for choices; decision 55 has the result.
const SETS = 250 * testScale
const TARGET = 0.02
const RISK = 0.05

/** Equally likely forecasts, lowest first, and the probability that each is right about yes. */
interface Population {
  name: string
  rows: number
  forecasts: Float64Array
  truth: Float64Array
}

const SIZE = 20_000
const logit = (p: number) => Math.log(p / (1 - p))
const logistic = (x: number) => 1 / (1 + Math.exp(-x))

/** `shape` maps evenly spread numbers between 0 and 1 to forecasts, in the same order. */
function population(
  name: string,
  rows: number,
  shape: (u: number) => number,
  truth: (p: number) => number = (p) => p,
): Population {
  const forecasts = Float64Array.from({ length: SIZE }, (_, at) => shape((at + 0.5) / SIZE))
  return { name, rows, forecasts, truth: forecasts.map(truth) }
}

const sharp = (spread: number, shift: number) => (u: number) => logistic(spread * logit(u) + shift)

const POPULATIONS = [
  population("a calibrated model, 400 rows", 400, sharp(4, 0)),
  population("an overconfident model, 1,000 rows", 1_000, sharp(4, 0), (p) => logistic(0.6 * logit(p))),
  population("a rare yes, 1,000 rows", 1_000, sharp(3, -4)),
  population(
    "probabilities with one decimal, 600 rows",
    600,
    (u) => Math.round(sharp(5, 1)(u) * 10) / 10,
    (p) => (p === 0 ? 0.008 : p === 1 ? 0.992 : 0.02 + 0.96 * p),
  ),
]

function draw({ rows, forecasts, truth }: Population, { below, share }: Random) {
  const at = Uint32Array.from({ length: rows }, () => below(SIZE))
  return {
    probabilities: Array.from(at, (place) => forecasts[place] ?? 0),
    isYes: Array.from(at, (place) => Number(share() < (truth[place] ?? 0))),
  }
}

const pick = <Value>(values: readonly Value[], rows: Uint32Array): Value[] =>
  Array.from(rows, (row) => values[row]).filter((value) => value !== undefined)

/** Returns the true share of wrong answers among the automatic ones of the population. */
function trueRate({ forecasts, truth }: Population, { low, high }: DecisionBand): number {
  let wrong = 0
  let automatic = 0
  for (let at = 0; at < SIZE; at++) {
    const p = forecasts[at] ?? 0
    if (p >= low && p < high) continue
    automatic++
    wrong += p >= high ? 1 - (truth[at] ?? 0) : (truth[at] ?? 0)
  }
  return wrong / automatic
}

interface Exceeded {
  /** Sets with a band good enough on the half that chose it. */
  chosen: number
  /** Sets whose check says "at most 2%". */
  passed: number
  /** Of these, the sets whose true rate is above 2%. */
  broken: number
  /** Sets whose true rate is above the bound of the check. */
  aboveBound: number
  /** Sets whose true rate is above the bound of the half that chose. */
  aboveChoice: number
}

function count(sets: number, one: (random: Random) => { rate: number; check: Check; choice: Check } | null): Exceeded {
  const random = seededRandom(20261122)
  const total = { chosen: 0, passed: 0, broken: 0, aboveBound: 0, aboveChoice: 0 }
  for (let set = 0; set < sets; set++) {
    const found = one(random)
    if (!found) continue
    const { rate, check, choice } = found
    const hasPassed = check.errorBound <= TARGET
    total.chosen++
    total.passed += Number(hasPassed)
    total.broken += Number(hasPassed && rate > TARGET)
    total.aboveBound += Number(rate > check.errorBound)
    total.aboveChoice += Number(rate > choice.errorBound)
  }
  return total
}

interface Check {
  wrong: number
  automatic: number
  errorBound: number
}

/** Fails when so many sets out of `sets` would be surprising (1 in 1,000) at a chance of 5%. */
const expectAtMostRisk = (exceeded: number, sets: number) =>
  expect(1 - binomialCdf(exceeded - 1, sets, RISK), `${exceeded} of ${sets}`).toBeGreaterThan(0.001)

describe.each(POPULATIONS)("$name", (each) => {
  const total = count(SETS, (random) => {
    const { probabilities, isYes } = draw(each, random)
    const { choose, check } = stratifiedHalves(isYes, random.below(2 ** 31))
    const half = (rows: Uint32Array): Forecasts => sortForecasts(pick(probabilities, rows), pick(isYes, rows))
    const band = bandChooser(half(choose))(TARGET)
    if (!band) return null
    return { rate: trueRate(each, band), check: checkBand(half(check), band), choice: checkBand(half(choose), band) }
  })

  printFigure(`at most 2% wrong, ${each.name}, ${SETS} sets`, total)

  test("a band that is said to be wrong in at most 2% is wrong more often in at most 5% of the sets", () => {
    expect(total.chosen).toBeGreaterThan(SETS / 20)
    expectAtMostRisk(total.broken, SETS)
  })

  test("the true rate is above the stated bound in at most 5% of the sets", () => {
    expectAtMostRisk(total.aboveBound, total.chosen)
  })

  test("the half that chose the band understates its rate, so it must not be stated", () => {
    expect(total.aboveChoice / total.chosen).toBeGreaterThan(0.15)
  })
})

describe("a choice of 5 options", () => {
  const OPTIONS = population("5 options", 1_500, sharp(3, 1.5), (p) => logistic(0.8 * logit(p) + 0.3))
  const total = count(SETS * 4, (random) => {
    const { probabilities, isYes } = draw(OPTIONS, random)
    const labels = probabilities.map(() => random.below(5))
    const { choose, check } = stratifiedHalves(labels, random.below(2 ** 31))
    const half = (rows: Uint32Array) => coverageCurve(pick(probabilities, rows), pick(isYes, rows))
    const threshold = chooseThreshold(half(choose), TARGET)
    if (threshold === null) return null
    const rate = trueRate(OPTIONS, { low: 0, high: threshold })
    return { rate, check: checkThreshold(half(check), threshold), choice: checkThreshold(half(choose), threshold) }
  })

  printFigure(`at most 2% wrong, a choice of 5 options, ${SETS * 4} sets`, total)

  test("a threshold that is said to be wrong in at most 2% is wrong more often in at most 5% of the sets", () => {
    expect(total.chosen).toBeGreaterThan(SETS / 20)
    expectAtMostRisk(total.broken, SETS * 4)
    expectAtMostRisk(total.aboveBound, total.chosen)
  })
})
