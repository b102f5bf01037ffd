import { expect, test } from "vitest"
import { changedText } from "./compare-view"

test("the number of answers that differ is a sentence for one and for several answers", () => {
  expect(changedText(0, 3)).toBe("No answer differs.")
  expect(changedText(1, 1)).toBe("1 of 1 answer differs.")
  expect(changedText(1, 3)).toBe("1 of 3 answers differs.")
  expect(changedText(2, 3)).toBe("2 of 3 answers differ.")
})
