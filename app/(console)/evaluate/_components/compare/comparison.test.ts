import { expect, test } from "vitest"
import { labelledText } from "./comparison"

test("the number of compared rows with a label is a sentence for one and for several rows", () => {
  expect(labelledText(1, 1)).toBe("1 of 1 row with both answers has a label.")
  expect(labelledText(1, 24)).toBe("1 of 24 rows with both answers has a label.")
  expect(labelledText(2, 24)).toBe("2 of 24 rows with both answers have a label.")
})
