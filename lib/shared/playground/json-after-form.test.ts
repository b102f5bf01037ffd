import { expect, test } from "vitest"
import { jsonAfterForm } from "./json-after-form"

const TYPED = '{"state":"s","model":"a","questions":{}}'
const WRITTEN = '{\n  "model": "a",\n  "state": "s",\n  "questions": {}\n}'

test("another model is put into the JSON as it was typed", () => {
  const now = WRITTEN.replace('"a"', '"b"')
  expect(jsonAfterForm({ text: TYPED, read: TYPED, written: WRITTEN }, now, "b")).toBe(
    '{"state":"s","model":"b","questions":{}}',
  )
})

test("JSON that is not in the form, or a form that changed in more than its model, gives way to what the form writes", () => {
  const now = WRITTEN.replace('"a"', '"b"')
  expect(jsonAfterForm({ text: TYPED, read: null, written: WRITTEN }, now, "b")).toBe(now)
  const restored = now.replace('"s"', '"t"')
  expect(jsonAfterForm({ text: TYPED, read: TYPED, written: WRITTEN }, restored, "b")).toBe(restored)
})
