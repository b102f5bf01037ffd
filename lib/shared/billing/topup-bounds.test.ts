import { expect, test } from "vitest"
import { topupCentsOf } from "./topup-bounds"

test.each([
  ["4.99", null],
  ["5", 500],
  ["12.5", 1_250],
  ["5000.00", 500_000],
  ["5000.01", null],
  ["5.001", null],
  ["", null],
  ["five", null],
  ["-25", null],
])("a top-up of %o dollars is %o cents, between 5 and 5,000 dollars", (text, cents) => {
  expect(topupCentsOf(text, { minUsd: "5.000000000000", maxUsd: "5000.000000000000" })).toBe(cents)
})
