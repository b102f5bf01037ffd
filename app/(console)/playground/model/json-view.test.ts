import { expect, test } from "vitest"
import { exampleForm } from "@/lib/shared/request-form/examples"
import { readForm } from "@/lib/shared/request-form/read-form"
import { followForm, markParam, openJson, readFormFrom, withKnownModel } from "./json-view"

const TYPED = '{"state":"s","model":"a","questions":{}}'
const FORM = { ...exampleForm("a"), state: { kind: "text", text: "s" } as const, questions: [] }

function formOf(text: string) {
  const read = readForm(text, "")
  if (!read.ok) throw new Error(read.message)
  return read.form
}

const readTyped = () => readFormFrom(openJson(FORM, TYPED), FORM)

test("another model changes only the model in the JSON that the user typed", () => {
  const { json, form } = readTyped()
  expect(followForm(json, { ...form, model: "b" }).text).toBe('{"state":"s","model":"b","questions":{}}')
})

test("JSON that the form was not read from is replaced by what the form writes", () => {
  const json = openJson(FORM, TYPED)
  expect(followForm(json, { ...FORM, model: "b" }).text).toBe(
    '{\n  "model": "b",\n  "state": "s",\n  "questions": {}\n}',
  )
})

test("a form that changed in more than its model replaces the JSON", () => {
  const { json } = readTyped()
  const other = formOf('{"model":"b","state":"t","questions":{}}')
  expect(followForm(json, other).text).toBe('{\n  "model": "b",\n  "state": "t",\n  "questions": {}\n}')
})

test("JSON that the form cannot show leaves the form unchanged", () => {
  const read = readFormFrom(openJson(FORM, '{"model":"a","state":"s","questions":{},"stream":true}'), FORM)
  expect(read.json.isReadable).toBe(false)
  expect(read.form).toBe(FORM)
})

test("a refused param is marked in valid JSON, and the syntax error in invalid JSON", () => {
  expect(markParam(openJson(FORM, TYPED), "model", "No.").faults).toMatchObject([{ message: "No.", from: 21, to: 24 }])
  expect(markParam(openJson(FORM, '{"model": "'), "model", "No.").faults).toMatchObject([{ line: 1, column: 11 }])
})

test("a model that is not available is replaced by the first one", () => {
  const models = [{ id: "b" }, { id: "c" }] as Parameters<typeof withKnownModel>[2]
  expect(withKnownModel(TYPED, "a", models)).toEqual({
    text: '{"state":"s","model":"b","questions":{}}',
    unknownModel: "a",
  })
  expect(withKnownModel(TYPED, "c", models)).toEqual({ text: TYPED, unknownModel: null })
})
