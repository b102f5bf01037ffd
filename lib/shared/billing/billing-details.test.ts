import { expect, test } from "vitest"
import { BillingDetails, NO_DETAILS } from "./billing-details"

test("an address keeps its lines, without spaces around them and without empty ones", () => {
  expect(BillingDetails.parse({ ...NO_DETAILS, address: " Example Road 1 \r\n\n12345 Berlin\n" }).address).toBe(
    "Example Road 1\n12345 Berlin",
  )
})

test.each([
  ["address", "1\n2\n3\n4\n5\n6\n7", "Use at most 6 lines."],
  ["address", "x".repeat(81), "Use letters, digits and punctuation only, at most 80 in a line."],
  ["address", "Road\u202e1", "Use letters, digits and punctuation only, at most 80 in a line."],
  ["company", "A\nB", "Use letters, digits and punctuation only, in one line."],
  ["vatId", "D".repeat(41), "Use at most 40 characters."],
  ["purchaseOrder", "4".repeat(61), "Use at most 60 characters."],
])("%s %j is refused", (name, value, message) => {
  const { error } = BillingDetails.safeParse({ ...NO_DETAILS, [name]: value })
  expect(error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([[name, message]])
})
