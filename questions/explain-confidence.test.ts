import { expect, test } from "vitest"
import { explainChoice } from "./choice/bars"
import { choiceConfidence } from "./choice/choice"
import { explainScore } from "./score/level-bars"
import { scoreConfidence } from "./score/score"

test("explains a choice's confidence with its own numbers", () => {
  const explained = explainChoice([0.7, 0.2, 0.1])
  expect(explained.steps).toEqual(["n = 3, p = 0.7", "(3 × 0.7 − 1) ÷ (3 − 1) = 0.55"])
  expect(choiceConfidence([0.7, 0.2, 0.1])).toBeCloseTo(0.55, 12)
  expect(explainChoice([1]).steps).toEqual(["There is one option: 1"])
})

test("explains a score's confidence with its own numbers", () => {
  const explained = explainScore([0.1, 0.2, 0.7])
  expect(explained.steps).toEqual([
    "most likely level: 2",
    "spread = 0.1 × 2 + 0.2 × 1 = 0.4",
    "even split's spread = 0.667",
    "1 − 0.4 ÷ 0.667 = 0.4",
  ])
  expect(scoreConfidence([0.1, 0.2, 0.7])).toBeCloseTo(0.4, 12)
  expect(explainScore([1]).steps).toEqual(["There is one level: 1"])
})

test("shows a spread beyond an even split as 0", () => {
  expect(explainScore([0.5, 0.2, 0.3]).steps.at(-1)).toBe("1 − 0.8 ÷ 0.667 = −0.2, so 0")
  expect(scoreConfidence([0.5, 0.2, 0.3])).toBe(0)
})
