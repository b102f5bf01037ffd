import { describe, expect, test } from "vitest"
import { CalibrationWatch } from "./calibration-watch"
import { EProcess } from "./e-process"
import { errorSequence } from "./error-sequence"
import { ErrorWatch } from "./error-watch"
import { seededRandom } from "./random"

/** Returns after how many outcomes at a true error rate the target of 5% has its alarm, in each of 20 histories of 1,000. */
function errorAlarms(rate: number): (number | null)[] {
  const random = seededRandom(558)
  return Array.from({ length: 20 }, () => {
    const watch = new ErrorWatch(0.05)
    for (let place = 0; place < 1_000; place++) watch.add(random.share() < rate)
    return watch.alarmAt
  })
}

describe("a target of 5% wrong answers", () => {
  test("has no alarm while it is kept, and one soon when twice as many are wrong", () => {
    expect(errorAlarms(0.05).filter((place) => place !== null)).toEqual([])
    const broken = errorAlarms(0.1).filter((place) => place !== null && place < 600)
    expect(broken.length).toBeGreaterThanOrEqual(18)
  })
})

describe("a late run of errors", () => {
  test("has an alarm soon, although the rate of all outcomes is surely below the target", () => {
    const watch = new ErrorWatch(0.05)
    for (let place = 0; place < 5_000; place++) watch.add(place % 100 === 0)
    expect(watch.alarmAt).toBe(null)
    for (let place = 0; place < 100; place++) watch.add(place % 2 === 0)
    expect(watch.alarmAt).toBeGreaterThan(5_000)
    expect(watch.alarmAt).toBeLessThan(5_050)
    expect(errorSequence(50 + 50, 5_100).high).toBeLessThan(0.05)
  })
})

describe("intervals of a confidence sequence", () => {
  test("contain the observed share, and narrow with the outcomes", () => {
    const few = errorSequence(5, 100)
    const many = errorSequence(500, 10_000)
    expect(few.low).toBeLessThan(0.05)
    expect(few.high).toBeGreaterThan(0.05)
    expect(many.low).toBeGreaterThan(0.04)
    expect(many.high).toBeLessThan(0.06)
    expect(few.high - few.low).toBeGreaterThan(3 * (many.high - many.low))
  })

  test("say nothing without outcomes, and keep to 0 and 1", () => {
    expect(errorSequence(0, 0)).toEqual({ low: 0, high: 1 })
    expect(errorSequence(0, 50).low).toBe(0)
    expect(errorSequence(50, 50).high).toBe(1)
  })

  test("are mirrored when right and wrong change places", () => {
    const errors = errorSequence(7, 60)
    const rights = errorSequence(53, 60)
    expect(rights.low).toBeCloseTo(1 - errors.high, 12)
    expect(rights.high).toBeCloseTo(1 - errors.low, 12)
  })
})

describe("a saved process", () => {
  test("continues as if it had not been interrupted, after any outcome, also through JSON", () => {
    const { share } = seededRandom(559)
    const [whole, calibrated] = [new ErrorWatch(0.05), new CalibrationWatch()]
    let [part, forecasts] = [new ErrorWatch(0.05), new CalibrationWatch()]
    for (let place = 0; place < 1_000; place++) {
      const [isWrong, forecast, happened] = [share() < 0.02, share(), share() < 0.5]
      for (const watch of [whole, part]) watch.add(isWrong)
      for (const watch of [calibrated, forecasts]) watch.add(forecast, happened)
      if (share() > 0.1) continue
      part = new ErrorWatch(0.05, JSON.parse(JSON.stringify(part.saved)))
      forecasts = new CalibrationWatch(JSON.parse(JSON.stringify(forecasts.saved)))
    }
    expect(part.saved).toEqual(whole.saved)
    expect(part.evidence).toBe(whole.evidence)
    expect(forecasts.saved).toEqual(calibrated.saved)
  })

  test("of another number of bets is refused", () => {
    expect(() => new ErrorWatch(0.05, new CalibrationWatch().saved)).toThrow("the saved process has 34 bets")
  })
})

describe("certain forecasts", () => {
  test("a million forecasts of exactly 0 or 1 that come true are no evidence against them", () => {
    const watch = new CalibrationWatch()
    for (let place = 0; place < 1_000_000; place++) watch.add(place % 2, place % 2 === 1)
    expect(watch.evidence).toBeLessThanOrEqual(1)
  })

  test("a certain forecast that is wrong is an alarm at once", () => {
    const watch = new CalibrationWatch()
    watch.add(1, false)
    expect(watch.alarmAt).toBe(1)
  })
})

describe("the wealth of bets", () => {
  test("stays 1 when no bet gains or loses, whatever began when", () => {
    const process = new EProcess(3)
    for (let place = 0; place < 1_000; place++) process.add([1, 1, 1])
    expect(process.evidence).toBeCloseTo(1, 12)
  })

  test("remembers the first alarm when the evidence falls again", () => {
    const process = new EProcess(1)
    process.add([100])
    process.add([1])
    expect(process.evidence).toBe(50.5)
    process.add([0])
    expect(process.alarmAt).toBe(1)
    expect(process.evidence).toBe(0.5)
  })

  test("is a number after overwhelming evidence in both directions", () => {
    const process = new EProcess(2)
    for (let place = 0; place < 5_000; place++) process.add([10, 0.1])
    for (let place = 0; place < 5_000; place++) process.add([0, 10])
    expect(process.evidence).toBeGreaterThan(0)
    expect(Number.isFinite(process.evidence)).toBe(true)
  })
})
