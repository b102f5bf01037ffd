import { expect, test } from "vitest"
import { automaticText } from "./automation-found"

test("the number of automatic rows is a sentence for one and for several rows", () => {
  expect(automaticText({ rows: 1, automatic: 0 })).toBe("Of the 1 row, 0 are automatic:")
  expect(automaticText({ rows: 12, automatic: 1 })).toBe("Of the 12 rows, 1 is automatic:")
  expect(automaticText({ rows: 12, automatic: 9 })).toBe("Of the 12 rows, 9 are automatic:")
})
