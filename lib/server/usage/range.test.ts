import { expect, test } from "vitest"
import { resolveRange, startsOf } from "./range"

const now = new Date("2026-03-01T23:59:59.999Z")

test("a number of days ends with today in UTC, and one day is shown by hour", () => {
  const today = { unit: "hour", from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-03-02T00:00:00Z") }
  expect(resolveRange({ days: 1 }, now)).toEqual(today)
  expect(resolveRange({ from: "2026-03-01", to: "2026-03-01" }, now)).toEqual(today)
  expect(resolveRange({ days: 3 }, now)).toEqual({ unit: "day", from: new Date("2026-02-27T00:00:00Z"), to: today.to })
})

test("every hour or day of a range is listed, over a month's end and in a leap year", () => {
  expect(startsOf(resolveRange({ days: 3 }, now)).map((at) => at.slice(0, 10))).toEqual([
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
  ])
  expect(startsOf(resolveRange({ from: "2028-02-28", to: "2028-03-01" }, now))).toHaveLength(3)
  expect(startsOf(resolveRange({ days: 2 }, now))).toHaveLength(48)
})
