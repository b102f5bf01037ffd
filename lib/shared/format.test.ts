import { describe, expect, test } from "vitest"
import {
  countOf,
  formatBalance,
  formatCost,
  formatCountTick,
  formatDateTime,
  formatEarliest,
  formatExactTime,
  formatExactUsd,
  formatMonth,
  formatMsTick,
  formatPrice,
  formatRelative,
  formatSpan,
  formatUsd,
  formatUsdTick,
} from "./format"
import { pico } from "./money"

const NOW = new Date("2026-11-20T15:04:09Z")

describe("times", () => {
  test.each([
    ["0.000000000000", "Free"],
    ["0.000000000001", "$0.000000000001"],
    ["12.345", "$12.35"],
  ])("a cost of %s is shown as %s", (usd, text) => expect(formatCost(usd)).toBe(text))

  test.each([
    ["2026-11-20T15:04:00Z", "just now"],
    ["2026-11-20T15:01:09Z", "3 min ago"],
    ["2026-11-20T13:04:09Z", "2 h ago"],
    ["2026-11-20T17:04:09Z", "in 2 h"],
    ["2026-11-19T15:04:09Z", "1 day ago"],
    ["2026-11-08T15:04:09Z", "12 days ago"],
    ["2026-09-01T00:00:00Z", "1 Sep 2026"],
  ])("%s is shown as %s on 20 November 2026 at 15:04", (at, text) => {
    expect(formatRelative(new Date(at), NOW)).toBe(text)
  })

  test("dates are UTC in every time zone of the machine", () => {
    expect(formatDateTime(NOW)).toBe("20 Nov 2026, 15:04")
    expect(formatEarliest(new Date("2026-11-20T23:59:00.001Z"))).toBe("00:00 UTC")
    expect(formatEarliest(new Date("2026-11-20T15:04:00.000Z"))).toBe("15:04 UTC")
    expect(formatExactTime(NOW)).toBe("20 Nov 2026, 15:04:09 UTC")
    expect(formatExactTime(new Date("2026-11-20T00:00:00Z"))).toBe("20 Nov 2026, 00:00:00 UTC")
  })

  test("a month is shown by its name", () => expect(formatMonth("2026-01")).toBe("January 2026"))

  test.each([
    [18_720_000, "5 h 12 min"],
    [18_720_001, "5 h 13 min"],
    [3_600_000, "1 h"],
    [59_000, "1 min"],
    [0, "1 min"],
    [172_740_000, "47 h 59 min"],
    [172_800_000, "2 days"],
    [176_340_000, "3 days"],
  ])("a waiting time of %i ms is shown as %s", (spanMs, text) => {
    expect(formatSpan(spanMs)).toBe(text)
  })
})

describe("amounts", () => {
  test.each([
    ["12.34", "$12.34"],
    ["0.000041", "$0.000041"],
    ["1234567.5", "$1,234,567.50"],
    ["-3", "−$3.00"],
    ["0.999958", "$0.999958"],
    ["0", "$0.00"],
  ])("%s is shown exactly as %s", (text, shown) => expect(formatExactUsd(text)).toBe(shown))

  test.each([
    ["0.000052632", "$0.0000526"],
    ["0.000041", "$0.000041"],
    ["0.00004996", "$0.00005"],
    ["0.000000000001", "$0.000000000001"],
    ["0.009999999999", "$0.01"],
    ["0.01", "$0.01"],
    ["0.014999999999", "$0.01"],
    ["0.015", "$0.02"],
    ["0.999958", "$1.00"],
    ["1234567.5", "$1,234,567.50"],
    ["-0.000041", "−$0.000041"],
    ["-1.005", "−$1.01"],
    ["0", "$0.00"],
    ["nothing", "–"],
  ])("%s is rounded to cents from a cent up, and to three digits below: %s", (text, shown) =>
    expect(formatUsd(text)).toBe(shown),
  )

  test.each([
    ["4.999999999999", "$4.99"],
    ["5", "$5.00"],
    ["0.009999999999", "$0.00999"],
    ["0.000052698", "$0.0000526"],
    ["0.000000000001", "$0.000000000001"],
    ["0", "$0.00"],
    ["-0.000000000001", "−$0.000000000001"],
    ["-0.000052601", "−$0.0000527"],
    ["-8.991", "−$9.00"],
    ["-9", "−$9.00"],
    ["nothing", "–"],
  ])("a balance of %s is never shown as more than it is: %s", (text, shown) => expect(formatBalance(text)).toBe(shown))

  test("the amounts of a column are rounded to its number of decimals", () => {
    expect(formatUsd("25.1234567", 4)).toBe("$25.1235")
    expect(formatBalance("25.1234567", 4)).toBe("$25.1234")
    expect(formatBalance("-25.1234001", 4)).toBe("−$25.1235")
    expect(formatExactUsd("25.1", 4)).toBe("$25.1000")
  })

  test("an amount in pico-USD and its text are shown alike", () => {
    expect(formatUsd(pico(12_340_001_000_000n))).toBe("$12.34")
    expect(formatExactUsd(pico(12_340_001_000_000n))).toBe("$12.340001")
  })
})

test("a number of things has its noun in the singular or plural", () => {
  expect([0, 1, 5_000].map((count) => countOf(count, "row"))).toEqual(["0 rows", "1 row", "5,000 rows"])
})

test("axis labels are short", () => {
  expect([0.00002, 0.3, 25].map(formatUsdTick)).toEqual(["$0.00002", "$0.30", "$25"])
  expect(formatCountTick(1_200_000)).toBe("1.2M")
  expect(formatMsTick(250)).toBe("250 ms")
})

test.each([
  ["0.731000", "$0.731"],
  ["12.000000", "$12.00"],
  ["0.000000", "Free"],
  [null, "No price yet"],
])("a price of %s per million tokens is shown as %s", (usd, text) => {
  expect(formatPrice(usd)).toBe(text)
})
