import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { allowedErrors, binomialCdf } from "./binomial"
import { chanceToPass } from "./pilot"

/** Returns from how many automatic rows on one test of the target passes with a chance of at least 80 %. */
function rowsFor(share: number, target: number, risk: number): number {
  const allowed = allowedErrors(Math.round(60 / target), target, risk)
  const tooFew = allowed.findLastIndex((errors, rows) => binomialCdf(errors, rows, share * target) < 0.8)
  return tooFew + 1
}

describe("the automatic rows that a target takes", () => {
  const SHARES = [0, 0.2, 0.4, 0.6]

  test.each([
    [0.05, 0.1, [29, 61, 142, 333]],
    [0.05, 0.05, [59, 124, 286, 694]],
    [0.05, 0.02, [149, 386, 719, 1_741]],
    [0.025, 0.1, [36, 85, 167, 411]],
    [0.025, 0.05, [72, 173, 338, 851]],
    [0.025, 0.02, [183, 436, 916, 2_194]],
  ])("are the published ones at a risk of %s and a target of %s", (risk, target, expected) => {
    expect(SHARES.map((share) => rowsFor(share, target, risk))).toEqual(expected)
  })

  test("are the ones in the guide", () => {
    const guide = readFileSync("docs/guide/thresholds.md", "utf8")
    const lines = guide.split("\n").filter((line) => line.startsWith("| At most "))
    const numbers = lines.map((line) => (line.match(/\d[\d,]*/g) ?? []).map((text) => Number(text.replace(",", ""))))
    const targets = [10, 5, 2, 1]
    expect(numbers).toEqual(
      targets.map((target) => [target, ...SHARES.map((share) => rowsFor(share, target / 100, 0.025))]),
    )
  })
})

describe("the chance to pass after a pilot", () => {
  const point = (decided: number, wrong: number) => ({ threshold: 1 - decided / 1_000, decided, wrong })

  // By numerical integration of the binomial distribution over the beta distribution, in another language.
  test.each([
    ["without a mistake", [point(100, 0)], 300, 0.05, 0.90875],
    ["with mistakes below the surest half", [point(50, 0), point(100, 4)], 300, 0.05, 0.79528],
    ["the same, for more rows", [point(50, 0), point(100, 4)], 900, 0.05, 0.91427],
    ["with a mistake among the surest", [point(50, 1), point(100, 4)], 900, 0.02, 0.17242],
  ])("%s is that of the better of two starts", (_what, curve, rows, target, expected) => {
    expect(chanceToPass(curve, rows, target, { fromHalf: true })).toBeCloseTo(expected, 4)
  })

  test("of a walk with one start is that of its first step", () => {
    expect(chanceToPass([point(50, 0), point(100, 4)], 300, 0.05, { risk: 0.025 })).toBeCloseTo(0.64113, 4)
  })

  test("is none with too few rows, and without a pilot", () => {
    expect(chanceToPass([point(100, 0)], 71, 0.05, { fromHalf: true })).toBe(0)
    expect(chanceToPass([], 1_000, 0.05)).toBe(0)
  })
})
