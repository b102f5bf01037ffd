import { expect, test } from "vitest"
import { explainFault } from "./explain-fault"
import { faultOffset } from "./scan"

const VALUE = 'Expected a value: "text", a number, true, false, null, an object or an array'

test.each([
  ["", `The text ends too early. ${VALUE}.`],
  ['{"a": nul}', `${VALUE}.`],
  ['{"a": }', `${VALUE}.`],
  ["[", `The text ends too early. ${VALUE}, or ].`],
  ["[1, 2,]", "Remove the comma before this ]."],
  ['{"a": 1,}', "Remove the comma before this }."],
  ['{"a": 1 "b": 2}', "Expected a comma or }."],
  ['[1 "b"]', "Expected a comma or ]."],
  ['{"a": [1, {"b": "}"}}', "Expected a comma or ]."],
  ['{"a": 1', "The text ends too early. Expected a comma or }."],
  ["{a: 1}", "Expected a name in double quotation marks, or }."],
  ['{"a": 1, b: 2}', "Expected a name in double quotation marks."],
  ['{"a" 1}', "Expected a colon after the name."],
  ["[] x", "Expected the end: a JSON text has one value."],
  ["{'a': 1}", "Write double quotation marks instead of single ones."],
  ["[1, // one\n2]", "JSON has no comments. Remove this one."],
  ['{"a": "b\n}', "This string has no closing quotation mark in its line. Write \\n for a line break."],
  ['{"a": "C:\\d"}', "This string has a character or an escape that JSON does not allow. Write \\\\ for a backslash."],
])("says what is expected in %s", (text, message) => {
  const bytes = new TextEncoder().encode(text)
  expect(explainFault(text, faultOffset(bytes))).toBe(message)
})
