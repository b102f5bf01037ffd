import { describe, expect, test } from "vitest"
import { mostBroken } from "@/test/claim-simulation"
import { drawRows, type World, YES_NO_WORLDS } from "@/test/evaluate-worlds"
import { printFigure } from "@/test/figures"
import { testScale } from "@/test/scale"
import { allowedErrors } from "./binomial"
import { CalibrationWatch } from "./calibration-watch"
import { errorSequence } from "./error-sequence"
import { ErrorWatch } from "./error-watch"
import { type Random, seededRandom } from "./random"

const OUTCOMES = 10_000

/** Returns in how many of the sets `alarmOf` returns a place, and the median place; infinite when most sets have none. */
function alarms(sets: number, seed: number, alarmOf: (random: Random) => number | null) {
  const random = seededRandom(seed)
  const places = Array.from({ length: sets }, () => alarmOf(random) ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const fired = places.filter(Number.isFinite).length
  return { share: fired / sets, median: places[Math.floor(sets / 2)] ?? Number.POSITIVE_INFINITY }
}

/** Adds outcomes until the first alarm. `rateAt` is the true error rate of each. Returns how many it took from `since` on. */
function errorAlarm(target: number, rateAt: (place: number) => number, random: Random, since = 0): number | null {
  const watch = new ErrorWatch(target)
  for (let place = 0; place < OUTCOMES && watch.alarmAt === null; place++) watch.add(random.share() < rateAt(place))
  return watch.alarmAt === null ? null : watch.alarmAt - since
}

function calibrationAlarm(world: World, outcomes: number, random: Random): number | null {
  const { probabilities, isYes } = drawRows(world, outcomes, random)
  const watch = new CalibrationWatch()
  for (let place = 0; place < outcomes && watch.alarmAt === null; place++)
    watch.add(probabilities[place] ?? 0, isYes[place] === 1)
  return watch.alarmAt
}

/** The same forecasts, each of them right. */
const calibrated = (world: World): World => ({ ...world, truth: world.forecasts })

describe("an error rate that is looked at after each of 10,000 outcomes", () => {
  const sets = 400 * testScale

  test.each([
    { name: "exactly the target, 2%", target: 0.02, rateAt: () => 0.02 },
    { name: "exactly the target, 5%", target: 0.05, rateAt: () => 0.05 },
    { name: "exactly the target, 10%", target: 0.1, rateAt: () => 0.1 },
    {
      name: "weeks without errors between weeks at the target",
      target: 0.05,
      rateAt: (at: number) => (at % 500 < 250 ? 0 : 0.05),
    },
    { name: "a rise from none to the target", target: 0.05, rateAt: (at: number) => (0.05 * at) / OUTCOMES },
  ])("gives a false alarm in at most 5% of the histories: $name", ({ name, target, rateAt }) => {
    const found = alarms(sets, 551, (random) => errorAlarm(target, rateAt, random))
    printFigure(`false alarms, ${name}`, found.share)
    expect(found.share).toBeLessThanOrEqual(mostBroken(sets))
  })

  test("would give false alarms by a test for one look, which shows that these histories can", () => {
    const allowed = allowedErrors(OUTCOMES, 0.95)
    const found = alarms(100, 552, (random) => {
      for (let count = 1, right = 0; count <= OUTCOMES; count++) {
        if (random.share() >= 0.05) right++
        if (right <= (allowed[count] ?? -1)) return count
      }
      return null
    })
    printFigure("false alarms, one look repeated", found.share)
    expect(found.share).toBeGreaterThan(0.2)
  })

  test.each([
    { target: 0.02, most: 1_000 },
    { target: 0.05, most: 400 },
    { target: 0.1, most: 200 },
  ])("has its alarm soon when it is twice the target of $target", ({ target, most }) => {
    const atOnce = alarms(200, 553, (random) => errorAlarm(target, () => 2 * target, random))
    const later = alarms(200, 554, (random) =>
      errorAlarm(target, (place) => (place < 2_000 ? target / 2 : 2 * target), random, 2_000),
    )
    printFigure(`median delay, twice ${target}`, { atOnce: atOnce.median, after2000GoodOnes: later.median })
    expect(atOnce.median).toBeLessThanOrEqual(most)
    expect(later.median).toBeLessThanOrEqual(2.5 * most)
    expect(later.median).toBeGreaterThan(0)
  })

  test.each([
    { rate: 0.02, trials: 2_000 },
    { rate: 0.2, trials: 400 },
  ])("is in the intervals of all numbers of trials at once, at $rate", ({ rate, trials: most }) => {
    // Between two errors both bounds fall, so the interval can lose the rate only at an error, or just before one.
    const found = alarms(100, 555, (random) => {
      let errors = 0
      const loses = (trials: number) => {
        const { low, high } = errorSequence(errors, trials)
        return rate < low || rate > high
      }
      for (let trials = 1; trials <= most; trials++) {
        const isWrong = random.share() < rate
        if (isWrong && loses(trials - 1)) return trials
        if (isWrong) errors++
        if (isWrong && loses(trials)) return trials
      }
      return loses(most) ? most : null
    })
    printFigure(`lost by the intervals, rate ${rate}`, found.share)
    expect(found.share).toBeLessThanOrEqual(mostBroken(100))
  })
})

describe("calibration that is looked at after each of 10,000 outcomes", () => {
  const sets = 40 * testScale

  test.each(YES_NO_WORLDS)("gives a false alarm in at most 5% of the histories: forecasts as in $name", (world) => {
    const found = alarms(sets, 556, (random) => calibrationAlarm(calibrated(world), OUTCOMES, random))
    printFigure(`false alarms, calibrated forecasts as in ${world.name}`, found.share)
    expect(found.share).toBeLessThanOrEqual(mostBroken(sets))
  })

  test.each([
    { name: "overconfident", most: 1_000 },
    { name: "one bad side", most: 2_000 },
  ])("has its alarm soon in a world that is $name", ({ name, most }) => {
    const world = YES_NO_WORLDS.find((each) => each.name === name)
    if (!world) throw new Error(`There is no world ${name}.`)
    const found = alarms(60, 557, (random) => calibrationAlarm(world, OUTCOMES, random))
    printFigure(`median delay, ${name}`, found.median)
    expect(found.median).toBeLessThanOrEqual(most)
  })
})
