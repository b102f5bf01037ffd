import fc from "fast-check"
import { expect, test } from "vitest"
import { EXAMPLES, exampleForm } from "@/lib/shared/request-form/examples"
import { readForm } from "@/lib/shared/request-form/read-form"
import { requestTexts } from "@/test/request-texts"
import { parseDraft, repairDraft } from "./draft"

test("a draft is restored exactly", () => {
  fc.assert(
    fc.property(requestTexts, (text) => {
      const read = readForm(text, "")
      if (!read.ok) throw new Error(read.message)
      expect(parseDraft(JSON.parse(JSON.stringify({ form: read.form, json: text })))).toEqual({
        form: read.form,
        json: text,
      })
    }),
    { numRuns: 30 },
  )
  for (const example of EXAMPLES) {
    const draft = { form: exampleForm("m", example), json: null }
    expect(parseDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  }
})

const form = exampleForm("m")
test.each([
  ["null", null],
  ["a missing form", { json: null }],
  ["an earlier version", { ...form, stateKind: "text", state: "s" }],
  ["a state that is a string", { form: { ...form, state: "s" }, json: null }],
  ["an unknown type", { form: { ...form, questions: [{ ...form.questions[0], type: "yes" }] }, json: null }],
  ["invalid options", { form: { ...form, questions: [{ ...form.questions[0], options: [1] }] }, json: null }],
  ["a JSON text that is not a string", { form, json: 1 }],
])("%s is not a draft", (_name, value) => {
  expect(parseDraft(value)).toBeNull()
})

test("a model or key that the account no longer has is replaced", () => {
  const models = [{ id: "m" }] as Parameters<typeof repairDraft>[1]
  const keys = [{ id: "key_1" }] as Parameters<typeof repairDraft>[2]
  const draft = (model: string, keyId: string) => ({ form: { ...form, model, keyId }, json: null })
  expect(repairDraft(draft("gone", "key_2"), models, keys)).toEqual(draft("m", ""))
  expect(repairDraft(draft("m", "key_1"), models, keys)).toEqual(draft("m", "key_1"))
})
