import { expect, test } from "vitest"
import { emptyQuestion, exampleForm } from "./example"
import { fieldOfParam } from "./field-of-param"

const form = {
  ...exampleForm("m"),
  questions: [emptyQuestion("noul", "a"), emptyQuestion("choice", "b"), emptyQuestion("score", "c")],
}

test.each([
  ["model", "model"],
  ["body", "state"],
  ["state", "state"],
  ["questions", "questions.root"],
  ["questions.a.criteria", "questions.0.yes"],
  ["questions.a.criteria.false", "questions.0.no"],
  ["questions.b.instructions", "questions.1.instructions"],
  ["questions.c.criteria.2", "questions.2.levels.2.label"],
  ["questions.c.criteria", "questions.2.levels.root"],
  ["questions.gone", "questions.root"],
  ["something", null],
])("%s is about %s", (param, field) => {
  const named = { ...form, questions: form.questions.map((q) => ({ ...q, options: [{ name: "x", description: "" }] })) }
  expect(fieldOfParam(named, param)).toBe(field)
})
