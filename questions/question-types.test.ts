import { describe, expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { readForm } from "@/lib/shared/request-form/read-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { Answer, Question } from "./question-schemas"
import { countByType, prepareAnswer, QUESTION_TYPES, questionTexts, TYPE_NAMES, typeOf } from "./question-types"

const checked = checkRequest(new TextEncoder().encode(JSON.stringify(EXAMPLE_REQUEST)))
const questions = checked.ok ? checked.request.questions : []

test("the example request has one question of every type", () => {
  expect(countByType(questions)).toEqual(Object.fromEntries(TYPE_NAMES.map((name) => [name, 1])))
})

test("the form reads and writes the criteria of every type unchanged", () => {
  const read = readForm(JSON.stringify(EXAMPLE_REQUEST), "")
  expect(read.ok && JSON.parse(writeRequest(read.form))).toEqual(EXAMPLE_REQUEST)
})

describe.each(questions.map((question) => [question.type, question] as const))("%s", (name, question) => {
  const sent = Object.values(EXAMPLE_REQUEST.questions).find(({ type }) => type === name)

  test("is registered under its name and described by its schema", () => {
    expect(typeOf(question)).toBe(QUESTION_TYPES[name])
    expect(Question.safeParse(sent).success).toBe(true)
  })

  test("bills its instructions first", () => {
    expect(questionTexts(question)[0]).toBe(question.instructions)
  })

  test("renders an even answer that its schema describes and its chart can draw", () => {
    const type = typeOf(question)
    const count = type.criteria(question).length
    const probabilities = Object.fromEntries(type.criteria(question).map(({ term }) => [term, 1 / count]))
    const answer = type.readAnswer(question, { noul: 0.5, probabilities })
    const rendered = JSON.parse(type.renderAnswer(question, answer))
    expect(Answer.safeParse(rendered)).toMatchObject({ success: true })
    expect(prepareAnswer(question, rendered)).toMatchObject({ name: question.name, type: name })
  })
})
