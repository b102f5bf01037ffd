import { expect } from "vitest"
import { bandChooser, cheapestBand, checkBand } from "@/lib/shared/statistics/band"
import { coverageCurve } from "@/lib/shared/statistics/coverage"
import { sortForecasts } from "@/lib/shared/statistics/forecasts"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import { bandOfSides, sideCurves, symmetricBand, symmetricCurve } from "@/lib/shared/statistics/sides"
import { splitAndTest } from "@/lib/shared/statistics/split"
import { walkCurve } from "@/lib/shared/statistics/walk"
import { CHOICE_WORLD, drawRows, trueRates, type World, worldRandom, YES_NO_WORLDS } from "./evaluate-worlds"
import { printFigure } from "./figures"

const RISK = 0.05

interface Outcome {
  /** The share of the world that the rule decides; 0 without a rule. */
  automatic: number
  /** True when a claim of the rule is false. */
  isBroken: boolean
}

type Method = (world: World, rows: number, target: number, random: ReturnType<typeof worldRandom>) => Outcome

const NONE: Outcome = { automatic: 0, isBroken: false }

/** One target for both sides of a yes/no question. */
export const pooledWalk: Method = (world, rows, target, random) => {
  const drawn = drawRows(world, rows, random)
  const forecasts = sortForecasts(drawn.probabilities, drawn.isYes)
  const curve = symmetricCurve(forecasts)
  const found = walkCurve(curve, target, { fromHalf: true })
  if (!("at" in found)) return NONE
  const band = symmetricBand(forecasts, curve, found.at)
  const { automatic, error } = trueRates(world, band)
  return { automatic, isBroken: error > target }
}

/** A target for each side of a yes/no question. */
const sidesWalk: Method = (world, rows, target, random) => {
  const drawn = drawRows(world, rows, random)
  const forecasts = sortForecasts(drawn.probabilities, drawn.isYes)
  const curves = sideCurves(forecasts)
  const countOf = (curve: typeof curves.yes) => {
    const found = walkCurve(curve, target, { risk: RISK / 2 })
    return "at" in found ? (curve[found.at]?.decided ?? null) : null
  }
  const band = bandOfSides(forecasts, { no: countOf(curves.no), yes: countOf(curves.yes) })
  const { automatic, yesError, noError } = trueRates(world, band)
  return { automatic, isBroken: yesError > target || noError > target }
}

/** A threshold on the confidence: choices and scores. */
const confidenceWalk: Method = (world, rows, target, random) => {
  const drawn = drawRows(world, rows, random)
  const curve = coverageCurve(drawn.probabilities, drawn.isYes)
  const found = walkCurve(curve, target, { fromHalf: true })
  if (!("at" in found)) return NONE
  const from = curve[found.at]?.threshold ?? Infinity
  const { automatic, error } = trueRates(world, { low: null, high: from })
  return { automatic, isBroken: error > target }
}

/** Draws a set and sorts each half. */
function drawHalves(world: World, rows: number, random: ReturnType<typeof worldRandom>) {
  const { probabilities, isYes } = drawRows(world, rows, random)
  const { choose, check } = stratifiedHalves(isYes, random.below(2 ** 31))
  const half = (places: Uint32Array) =>
    sortForecasts(
      Array.from(places, (place) => probabilities[place] ?? 0),
      Array.from(places, (place) => isYes[place] ?? 0),
    )
  return { choose: half(choose), check: half(check) }
}

/** One half chooses bands, and the other half tests them in a fixed order. */
export const pooledSplit: Method = (world, rows, target, random) => {
  const { choose, check } = drawHalves(world, rows, random)
  const chooseBand = bandChooser(choose)
  const band = splitAndTest(
    (risk) => chooseBand(target, risk),
    (each) => checkBand(check, each),
    { rows: check.isYes.length, target },
  )
  if (!band) return NONE
  const { automatic, error } = trueRates(world, band)
  return { automatic, isBroken: error > target }
}

/** Costs choose a band on one half. The claim is the bound of the other half, whatever the target. */
export const costBound: Method = (world, rows, target, random) => {
  const { choose, check } = drawHalves(world, rows, random)
  const band = cheapestBand(choose, { falseYes: 1 / target, falseNo: 1 / target, review: 2 })
  const { automatic, error } = trueRates(world, band)
  return { automatic, isBroken: error > checkBand(check, band).errorBound }
}

/** Returns the mean share that is automatic and the worst share of sets with a false claim, over the worlds. */
export function simulate(
  method: Method,
  worlds: readonly World[],
  { rows, target, sets, seed }: { rows: number; target: number; sets: number; seed: number },
): { automatic: number; worst: number } {
  const cells = worlds.map((world, at) => {
    const random = worldRandom(seed + 1_000_003 * at, rows)
    const outcomes = Array.from({ length: sets }, () => method(world, rows, target, random))
    const share = (value: (each: Outcome) => number) => outcomes.reduce((sum, each) => sum + value(each), 0) / sets
    return { automatic: share(({ automatic }) => automatic), broken: share(({ isBroken }) => Number(isBroken)) }
  })
  return {
    automatic: cells.reduce((sum, { automatic }) => sum + automatic, 0) / cells.length,
    worst: Math.max(...cells.map(({ broken }) => broken)),
  }
}

const TARGETS = [0.02, 0.05, 0.1]

/** The automatic shares of the method's own simulation, by rows. Each is the mean over the targets. */
export const EXPECTED = [
  { rows: 100, pooled: 0.24, sides: 0.14, choice: 0.09 },
  { rows: 300, pooled: 0.5, sides: 0.37, choice: 0.27 },
  { rows: 1_000, pooled: 0.65, sides: 0.59, choice: 0.41 },
] as const

/** The highest share of false claims that 95% confidence explains: 5% and 3 standard errors. */
export const mostBroken = (sets: number): number => RISK + 3 * Math.sqrt((RISK * (1 - RISK)) / sets)

/** Checks shares and violations of every method at one number of rows. `room` is how far a mean share may be from the expected one. */
export function checkClaims(
  { rows, ...expected }: (typeof EXPECTED)[number],
  { sets, seed, room }: { sets: number; seed: number; room: number },
): void {
  const run = (method: Method, worlds: readonly World[]) => {
    const cells = TARGETS.map((target) => simulate(method, worlds, { rows, target, sets, seed }))
    const automatic = cells.reduce((sum, cell) => sum + cell.automatic, 0) / cells.length
    return { automatic, worst: Math.max(...cells.map(({ worst }) => worst)) }
  }
  const found = {
    pooled: run(pooledWalk, YES_NO_WORLDS),
    sides: run(sidesWalk, YES_NO_WORLDS),
    choice: run(confidenceWalk, [CHOICE_WORLD]),
  }
  printFigure(`walks, ${rows} rows, ${sets} sets`, found)
  for (const name of ["pooled", "sides", "choice"] as const) {
    expect(Math.abs(found[name].automatic - expected[name]), `automatic, ${name}`).toBeLessThanOrEqual(room)
    expect(found[name].worst, `false claims, ${name}`).toBeLessThanOrEqual(mostBroken(sets))
  }
}
