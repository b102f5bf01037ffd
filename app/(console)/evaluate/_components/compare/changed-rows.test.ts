import { expect, test } from "vitest"
import { changesText } from "./changed-rows"

test.each([
  [1, 0, 0, "None: the answer has the same probabilities in both runs."],
  [24, 0, 0, "None: all 24 answers have the same probabilities in both runs."],
  [1, 1, 0, "The answer stayed the same, but its probabilities changed."],
  [24, 3, 0, "No answer of 24 became another one. The rows whose probabilities changed most come first."],
  [1, 1, 1, "1 of 1 answer became another one. It comes first."],
  [24, 3, 2, "2 of 24 answers became another one. They come first."],
])(
  "of %i answers, %i with other probabilities and %i other ones are described in a sentence",
  (rows, changed, flipped, text) => {
    expect(changesText(rows, changed, flipped)).toBe(text)
  },
)
