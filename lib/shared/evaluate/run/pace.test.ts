import { expect, test } from "vitest"
import { Pace } from "./pace"

/** Sends as often as allowed and returns when. */
function timesOf(pace: Pace, from: number, until: number): number[] {
  const times: number[] = []
  for (let now = from; now < until; ) {
    const delay = pace.delay(now)
    if (delay > 0) now += delay
    else {
      pace.sent()
      times.push(now)
    }
  }
  return times
}

const perSecond = (times: number[]): number[] => {
  const counts: number[] = []
  for (const at of times) counts[Math.floor(at / 1_000)] = (counts[Math.floor(at / 1_000)] ?? 0) + 1
  return counts
}

test("requests are spread evenly, just below the limit", () => {
  const counts = perSecond(timesOf(new Pace(50, 0), 0, 10_000))
  expect(Math.max(...counts)).toBeLessThanOrEqual(50)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(47)
})

test("a limit of one request per second is kept", () => {
  expect(Math.max(...perSecond(timesOf(new Pace(1, 0), 0, 10_000)))).toBe(1)
})

test("after a break no more than a tenth of a second's requests leave together", () => {
  const pace = new Pace(50, 0)
  expect(timesOf(pace, 60_000, 60_001)).toHaveLength(4)
})

test("the limit follows the headers", () => {
  const pace = new Pace(50, 0)
  pace.follow({ limit: 10, remaining: 5 }, 0)
  expect(timesOf(pace, 0, 10_000).length).toBeLessThanOrEqual(98)
  pace.follow({ limit: 100, remaining: 99 }, 10_000)
  expect(timesOf(pace, 10_000, 11_000).length).toBeGreaterThan(90)
})

test("nothing is sent while another client has used up the second", () => {
  const pace = new Pace(50, 0)
  pace.follow({ limit: 50, remaining: 0 }, 1_000)
  expect(pace.delay(1_000)).toBe(200)
  expect(pace.delay(1_200)).toBe(0)
})

test("Retry-After is honoured, then the rate is lower and recovers", () => {
  const pace = new Pace(100, 0)
  pace.refused(3_000, true, 0)
  expect(pace.delay(0)).toBe(3_000)
  expect(pace.delay(2_999)).toBe(1)
  expect(pace.perSecond).toBeLessThan(90)
  timesOf(pace, 3_000, 10_000)
  expect(pace.perSecond).toBe(97)
})

test("several refusals in the same second lower the rate once, and one a second later lowers it again", () => {
  const pace = new Pace(100, 0)
  for (let request = 0; request < 10; request++) pace.refused(100, true, 0)
  expect(pace.perSecond).toBeCloseTo(67.9)
  pace.refused(100, true, 1_000)
  // 0.679 of the limit, plus 0.05 in a second, times 0.7.
  expect(pace.perSecond).toBeCloseTo(51.03)
})

test("a refusal for capacity does not lower the rate", () => {
  const pace = new Pace(100, 0)
  pace.refused(1_000, false, 0)
  expect(pace.perSecond).toBe(97)
})
