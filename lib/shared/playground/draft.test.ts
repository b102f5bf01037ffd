import fc from "fast-check"
import { expect, test } from "vitest"
import { requestTexts } from "@/test/request-texts"
import { parseDraft } from "./draft"
import { EXAMPLES, exampleForm } from "./examples"
import { readForm } from "./read-form"

test("whatever the form holds is brought back as it was", () => {
  fc.assert(
    fc.property(requestTexts, (text) => {
      const read = readForm(text, "")
      if (!read.ok) throw new Error(read.message)
      expect(parseDraft(JSON.stringify({ form: read.form, json: text }))).toEqual({ form: read.form, json: text })
    }),
    { numRuns: 30 },
  )
  for (const example of EXAMPLES) {
    const draft = { form: exampleForm("m", example), json: null }
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft)
  }
})

const form = exampleForm("m")
test.each([
  ["nothing", null],
  ["no form", { json: null }],
  ["an earlier version", { ...form, stateKind: "text", state: "s" }],
  ["a state that is a string", { form: { ...form, state: "s" }, json: null }],
  ["an unknown type", { form: { ...form, questions: [{ ...form.questions[0], type: "yes" }] }, json: null }],
  ["options that are none", { form: { ...form, questions: [{ ...form.questions[0], options: [1] }] }, json: null }],
  ["a JSON text that is none", { form, json: 1 }],
])("%s is no draft", (_name, value) => {
  expect(parseDraft(JSON.stringify(value))).toBeNull()
})
