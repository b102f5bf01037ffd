import { expect, test } from "vitest"
import { flippedText } from "./stability-results"

test.each([
  [0, 1, "Other words do not change the answer."],
  [1, 1, "Other words change the answer."],
  [0, 24, "0 of 24 answers (0.0%) become another one in at least one wording."],
  [1, 24, "1 of 24 answers (4.2%) becomes another one in at least one wording."],
  [2, 24, "2 of 24 answers (8.3%) become another one in at least one wording."],
])("%i of %i answers that other words change are described in a sentence", (flipped, answers, text) => {
  expect(flippedText(flipped, answers)).toBe(text)
})
