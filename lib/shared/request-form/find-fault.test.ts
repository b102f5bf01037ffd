import { expect, test } from "vitest"
import { faultOfJson, faultOfParam, faultOfRequest } from "./find-fault"

const at = (text: string, fault: { from: number; to: number } | null) => fault && text.slice(fault.from, fault.to)

const VALUE = 'Expected a value: "text", a number, true, false, null, an object or an array.'

test.each([
  ['{"a": 1}', null],
  ['{"ä": tru}', { message: "This is not valid JSON.", expected: VALUE, from: 6, to: 9, line: 1, column: 7 }],
  [
    '{\n  "a": 1,\n  "a": 2\n}',
    { message: "An object has two members with the same name.", expected: null, from: 14, to: 17, line: 3, column: 3 },
  ],
  ['["😀", x]', { message: "This is not valid JSON.", expected: VALUE, from: 7, to: 8, line: 1, column: 8 }],
  [
    "",
    {
      message: "This is not valid JSON.",
      expected: `The text ends too early. ${VALUE}`,
      from: 0,
      to: 0,
      line: 1,
      column: 1,
    },
  ],
])("the scanner's error in %s has a line and column", (text, fault) => {
  expect(faultOfJson(text)).toEqual(fault)
})

const request = `{
  "model": "m",
  "state": "s",
  "questions": {
    "a": {"type": "noul", "instructions": "Is it?"},
    "b": {"type": "choice", "criteria": {"x.y": 1, "x": null}},
    "c": {"type": "score", "criteria": ["low", "high"]}
  }
}`

test("an invalid value is marked where the param points", () => {
  const fault = faultOfRequest(request)
  expect(fault).toMatchObject({ message: "This must be a string, an object, an array or null.", line: 6, column: 49 })
  expect(at(request, fault)).toBe("1")
  const sound = request.replace("1", "null")
  expect(faultOfRequest(sound)).toBeNull()
  const limited = faultOfRequest(sound, { maxQuestions: 16, maxOptions: 1, maxLevels: 10 })
  expect(at(sound, limited)).toBe('{"x.y": null, "x": null}')
})

test.each([
  ["questions.c.criteria.1", '"high"'],
  ["questions.b.criteria.x", "null"],
  ["questions.a", '{"type": "noul", "instructions": "Is it?"}'],
  ["model", '"m"'],
  ["questions", "{"],
  ["questions.gone.criteria", "{"],
])("the param %s is found in the text", (param, found) => {
  expect(at(request, faultOfParam(request, param, ""))).toBe(found)
})
