import { describe, expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { readForm } from "@/lib/shared/request-form/read-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { SHARE_MEMBERS } from "./automation"
import { Answer, Question } from "./question-schemas"
import {
  countByType,
  measured,
  prepareAnswer,
  QUESTION_TYPES,
  type QuestionTypeName,
  questionTexts,
  TYPE_NAMES,
  typeOf,
} from "./question-types"

/** One question of each type. The compiler requires every type. */
const SAMPLES: { [Name in QuestionTypeName]: { type: Name; instructions: string; criteria?: unknown } } = {
  noul: { type: "noul", instructions: "Is it urgent?", criteria: { true: "Today.", false: null } },
  choice: { type: "choice", instructions: "Which team?", criteria: { billing: "Payments.", other: null } },
  score: { type: "score", instructions: "How angry?", criteria: ["calm", "annoyed", { level: "angry" }] },
}

const REQUEST = { model: "m", state: "My parcel arrived broken.", questions: SAMPLES }
const checked = checkRequest(new TextEncoder().encode(JSON.stringify(REQUEST)))
const questions = checked.ok ? checked.request.questions : []

test("a request with one question of every type is valid", () => {
  expect(countByType(questions)).toEqual(Object.fromEntries(TYPE_NAMES.map((name) => [name, 1])))
})

test("the form reads and writes the criteria of every type unchanged", () => {
  const read = readForm(JSON.stringify(REQUEST), "")
  expect(read.ok && JSON.parse(writeRequest(read.form))).toEqual(REQUEST)
})

describe.each(questions.map((question) => [question.type, question] as const))("%s", (name, question) => {
  test("is registered under its name and described by its schema", () => {
    expect(typeOf(question)).toBe(QUESTION_TYPES[name])
    expect(Question.safeParse(SAMPLES[name]).success).toBe(true)
  })

  test("bills its instructions first", () => {
    expect(questionTexts(question)[0]).toBe(question.instructions)
  })

  test("reads back the answer that it writes for an engine", () => {
    const type = typeOf(question)
    const keys = type.outcomes.keys(question)
    const probabilities = Object.fromEntries(keys.map((key, index) => [key, (index + 1) / 10]))
    const answer = type.readAnswer(question, { noul: 0.25, probabilities })
    expect(type.readAnswer(question, type.writeAnswer(question, answer))).toEqual(answer)
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

  test("states the share that a threshold decides by where exported programs read it", () => {
    const type = typeOf(question)
    const keys = type.outcomes.keys(question)
    const probabilities = Object.fromEntries(keys.map((key, index) => [key, index === 0 ? 0.75 : 0.125]))
    const answer = type.readAnswer(question, { noul: 0.75, probabilities })
    const rendered = JSON.parse(type.renderAnswer(question, answer))
    const decisive = measured(prepareAnswer(question, rendered))
    expect(decisive?.share.value).toBe(decisive ? rendered[SHARE_MEMBERS[decisive.kind]] : undefined)
  })
})
