import { expect, test } from "vitest"
import { formatDateTime, formatExact, formatRelative } from "./format-time"

const NOW = new Date("2026-11-20T15:04:09Z")

test.each([
  ["2026-11-20T15:04:00Z", "just now"],
  ["2026-11-20T15:01:09Z", "3 min ago"],
  ["2026-11-20T13:04:09Z", "2 h ago"],
  ["2026-11-20T17:04:09Z", "in 2 h"],
  ["2026-11-19T15:04:09Z", "1 day ago"],
  ["2026-11-08T15:04:09Z", "12 days ago"],
  ["2026-09-01T00:00:00Z", "1 Sep 2026"],
])("%s reads %s from 20 November 2026, 15:04", (at, text) => {
  expect(formatRelative(new Date(at), NOW)).toBe(text)
})

test("dates are UTC whatever the zone of the machine", () => {
  expect(formatDateTime(NOW)).toBe("20 Nov 2026, 15:04")
  expect(formatExact(NOW)).toBe("20 Nov 2026, 15:04:09 UTC")
})
