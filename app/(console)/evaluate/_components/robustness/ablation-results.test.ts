import { expect, test } from "vitest"
import { flipsText } from "./ablation-results"

test.each([
  [0, 12, "No answer flips without one field."],
  [1, 1, "1 of 1 answer flips without one field. It comes first."],
  [1, 1200, "1 of 1,200 answers flips without one field. It comes first."],
  [2, 12, "2 of 12 answers flip without one field. They come first."],
])("%i flips of %i answers are described in a sentence", (flips, answers, text) => {
  expect(flipsText(flips, answers, "field")).toBe(text)
})
