import { expect, test } from "vitest"
import { formatSpan } from "@/lib/shared/format-span"

test.each([
  [18_720_000, "5 h 12 min"],
  [18_720_001, "5 h 13 min"],
  [3_600_000, "1 h"],
  [59_000, "1 min"],
  [0, "1 min"],
  [172_800_000, "2 days"],
])("a wait of %i ms reads %s", (spanMs, text) => {
  expect(formatSpan(spanMs)).toBe(text)
})
