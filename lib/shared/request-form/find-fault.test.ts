import { expect, test } from "vitest"
import { faultOfJson, faultOfParam, faultsOfRequest } from "./find-fault"

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
  const faults = faultsOfRequest(request)
  expect(faults).toMatchObject([
    { message: "This must be a string, an object, an array or null.", line: 6, column: 49 },
  ])
  expect(faults.map((fault) => at(request, fault))).toEqual(["1"])
  expect(faultsOfRequest(request.replace("1", "null"))).toEqual([])
})

test("every limit of the model that a request exceeds is listed", () => {
  const sound = request.replace("1", "null")
  const faults = faultsOfRequest(sound, { maxQuestions: 2, maxOptions: 1, maxLevels: 1 })
  expect(faults.map((fault) => [fault.line, at(sound, fault)])).toEqual([
    [4, "{"],
    [6, '{"x.y": null, "x": null}'],
    [7, '["low", "high"]'],
  ])
})

test("every error of a request is listed, in the order of the checks", () => {
  const wrong = `{
  "stat": "s",
  "model": "",
  "questions": {
    "a b": {"type": "noul", "instructions": "Is it?"},
    "b": {"kind": 1, "type": "choice", "instructions": 2, "criteria": {"x": 1, "y": null, "z": true}},
    "c": {"type": "score", "criteria": ["low", null, 3]},
    "d": {"type": "nul"},
    "e": {"type": "noul", "criteria": {"true": 1, "false": 2, "maybe": 3}},
    "f": 1
  }
}`
  const faults = faultsOfRequest(wrong)
  expect(faults.map((fault) => `${fault.line} ${at(wrong, fault)}`)).toEqual([
    '2 "s"',
    "1 {",
    '3 ""',
    '5 {"type": "noul", "instructions": "Is it?"}',
    "6 1",
    "6 2",
    "6 1",
    "6 true",
    "7 null",
    "7 3",
    '8 "nul"',
    "9 3",
    "9 1",
    "9 2",
    "10 1",
  ])
  expect(faults[1]?.message).toBe("This field is required.")
})

test("twenty errors are listed at most", () => {
  const options = Array.from({ length: 30 }, (_, i) => `"o${i}": ${i}`).join(",")
  const wrong = `{"model":"m","state":"s","questions":{"q":{"type":"choice","criteria":{${options}}}}}`
  expect(faultsOfRequest(wrong).map((fault) => at(wrong, fault))).toEqual(
    "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19".split(" "),
  )
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
