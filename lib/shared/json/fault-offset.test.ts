import { expect, test } from "vitest"
import { faultOffset } from "./scan"

const at = (text: string) => faultOffset(new TextEncoder().encode(text))

test.each([
  ['{"a": 1}', -1],
  ["", 0],
  ['{"a": }', 6],
  ['{"a": 1 "b": 2}', 8],
  ["[1, 2,]", 6],
  ["[1,2,01]", 6],
  ["[1, 2, -]", 7],
  ["[1,2,3 4]", 7],
  ["[1,2", 4],
  ["[1,2,", 5],
  ['{"a": 1', 7],
  ["[] x", 3],
  ["{a: 1}", 1],
  ['{"a": 1, "b": 2, "\\u0061": 3}', 17],
  ['[{"x": 0}, {"x": 1, "x": 2}]', 20],
  ['{"a": "\\ud800"}', 6],
])("locates the fault of %s at byte %i", (text, offset) => {
  expect(at(text)).toBe(offset)
})
