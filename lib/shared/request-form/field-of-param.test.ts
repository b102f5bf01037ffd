import { expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
import { exampleForm } from "./examples"
import { fieldOfParam } from "./field-of-param"

const choice = { ...emptyQuestion("choice", "b"), options: [{ name: "x", description: asText("") }] }
const form = { ...exampleForm("m"), questions: [emptyQuestion("noul", "a"), choice, emptyQuestion("score", "c")] }

test.each([
  ["model", "model"],
  ["body", "state.text"],
  ["state", "state.text"],
  ["questions", "questions.root"],
  ["questions.a.criteria", "questions.0.yes.text"],
  ["questions.a.criteria.false", "questions.0.no.text"],
  ["questions.b.instructions", "questions.1.instructions.text"],
  ["questions.b.criteria.x", "questions.1.options.0.description.text"],
  ["questions.b.criteria.y", "questions.1.options.root"],
  ["questions.c.criteria.2", "questions.2.levels.2.label.text"],
  ["questions.c.criteria", "questions.2.levels.root"],
  ["questions.gone", "questions.root"],
  ["something", null],
])("the param %s belongs to the field %s", (param, field) => {
  expect(fieldOfParam(form, param)).toBe(field)
})
