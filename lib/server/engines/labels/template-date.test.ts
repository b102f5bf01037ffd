import { expect, test } from "vitest"
import { fixedTime, hasCurrentDate } from "./template-date"

const NOW = Date.parse("2026-11-05T23:30:00Z")

test.each([
  "Today Date: 05 Nov 2026\n",
  "Today's Date: November 5, 2026.",
  "It is Thursday, 5 November 2026",
  "Current date: 2026-11-05",
  "2026-11-05T23:30",
  "11/05/2026",
  "05.11.2026",
  "2026年11月05日",
  // Already in Asia, and still in America.
  "06 Nov 2026",
  "04 Nov 2026",
])("%j contains the current date", (text) => {
  expect(hasCurrentDate(text, NOW)).toBe(true)
})

test.each([
  "Today Date: 26 Jul 2024",
  "Cutting Knowledge Date: November 2026",
  "07 Nov 2026",
  "05 Nov 2025",
  "15 Nov 2026",
  "Nov 5",
  "id 2026-11-051",
  "",
])("%j does not contain the current date", (text) => {
  expect(hasCurrentDate(text, NOW)).toBe(false)
})

test("every format of a template shows the same date", () => {
  expect(fixedTime("%d %b %Y, %B %d, %Y-%m-%d %H:%M, 100%%")).toBe("26 Jul 2024, July 26, 2024-07-26 00:00, 100%")
})
