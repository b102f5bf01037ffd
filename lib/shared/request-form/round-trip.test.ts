import fc from "fast-check"
import { expect, test } from "vitest"
import { compact } from "@/lib/shared/json/text"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { TYPE_NAMES } from "@/questions/question-types"
import { requestTexts } from "@/test/request-texts"
import { checkForm } from "./check-form"
import { readForm } from "./read-form"
import type { RequestForm } from "./request-form"
import { writeRequest } from "./write-request"

const tight = (text: string): string => new TextDecoder().decode(compact(new TextEncoder().encode(text)))

function read(text: string): RequestForm {
  const result = readForm(text, "key_1")
  if (!result.ok) throw new Error(`${result.param}: ${result.message}`)
  return result.form
}

test("a valid request survives the form byte for byte, except for white space", () => {
  fc.assert(
    fc.property(requestTexts, (text) => {
      const form = read(text)
      expect(checkForm(form)).toMatchObject({ ok: true })
      expect(tight(writeRequest(form))).toBe(tight(text))
    }),
    { numRuns: 200 },
  )
})

test("a form survives its JSON and browser storage", () => {
  fc.assert(
    fc.property(requestTexts, (text) => {
      const form = read(text)
      expect(read(writeRequest(form))).toEqual(form)
      expect(writeRequest(JSON.parse(JSON.stringify(form)) as RequestForm)).toBe(writeRequest(form))
    }),
    { numRuns: 200 },
  )
})

test("details that the form cannot show survive an edit elsewhere", () => {
  const form = read(
    '{"questions":{"__proto__":{"criteria":{"no":null,"10":{"n":1e400},"2":""},"type":"choice","instructions":null}},"state":[-0,1.10],"model":"m"}',
  )
  const [question] = form.questions
  if (!question) throw new Error("no question")
  const edited = { ...form, questions: [{ ...question, instructions: { ...question.instructions, text: "Which?" } }] }
  expect(tight(writeRequest(edited))).toBe(
    '{"questions":{"__proto__":{"criteria":{"no":null,"10":{"n":1e400},"2":""},"type":"choice","instructions":"Which?"}},"state":[-0,1.10],"model":"m"}',
  )
})

test("empty criteria keep their place when instructions are added", () => {
  const form = read('{"model":"m","state":"s","questions":{"a":{"type":"noul","criteria":{}}}}')
  const [question] = form.questions
  if (!question) throw new Error("no question")
  const edited = { ...form, questions: [{ ...question, instructions: asText("Is it?") }] }
  expect(tight(writeRequest(edited))).toBe(
    '{"model":"m","state":"s","questions":{"a":{"type":"noul","criteria":{},"instructions":"Is it?"}}}',
  )
})

test.each([
  ['{"model":"m","state":"s","questions":{}', "body", "The body is not valid JSON."],
  [
    '{"model":"m","state":"s","questions":{},"stream":true}',
    "stream",
    "Only these fields are allowed here: model, state, questions.",
  ],
  [
    '{"model":"m","state":"s","questions":{"a":{"type":"yes"}}}',
    "questions.a.type",
    `The type of a question is ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(TYPE_NAMES)}.`,
  ],
  ['{"model":"m","model":"n","state":"s","questions":{}}', "model", "An object has two members with the same name."],
  ["[]", "body", "The body must be a JSON object."],
])("the form refuses what it cannot show, with the API's error: %s", (text, param, message) => {
  expect(readForm(text, "")).toMatchObject({ ok: false, param, message })
})

test("the form shows invalid requests that have its shape", () => {
  const text =
    '{"model":"","state":12,"questions":{"a":{"type":"score","criteria":[null]},"a":{"type":"choice","criteria":{"":null}},"b":{"type":"noul","instructions":7}}}'
  expect(tight(writeRequest(read(text)))).toBe(text)
})
