import { expect, test } from "vitest"
import { parseRetryAfter, retryAfterSeconds } from "./retry-after"

const NOW = Date.parse("2026-11-20T10:00:00Z")

test.each([
  ["7", 7],
  [" 7 ", 7],
  ["1.2", 2],
  ["3600", 3_600],
  ["Fri, 20 Nov 2026 10:00:05 GMT", 5],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 3_600],
])("a value in the range is kept, in whole seconds: %s", (header, seconds) => {
  expect(parseRetryAfter(header, NOW)).toBe(seconds)
})

test.each([
  ["3601", 3_600],
  ["999999999", 3_600],
  ["Fri, 20 Nov 2026 11:00:01 GMT", 3_600],
  ["0", 1],
  ["-3", 1],
  ["0.5", 1],
  ["Fri, 20 Nov 2026 09:00:00 GMT", 1],
])("a value out of the range becomes the nearest bound: %s", (header, seconds) => {
  expect(parseRetryAfter(header, NOW)).toBe(seconds)
})

test("a missing or unreadable value is unknown, which counts as a second", () => {
  for (const header of [undefined, "", "soon", "1e999"]) {
    expect(parseRetryAfter(header, NOW)).toBeNull()
    expect(retryAfterSeconds(header, NOW)).toBe(1)
  }
})
