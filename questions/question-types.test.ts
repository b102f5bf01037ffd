import { describe, expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { readForm } from "@/lib/shared/request-form/read-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { TYPE_SAMPLES } from "@/test/type-samples"
import { SHARE_MEMBERS } from "./automation"
import { Answer, Question } from "./question-schemas"
import { countByType, measured, prepareAnswer, questionTexts, TYPE_NAMES, typeOf } from "./question-types"

const REQUEST = {
  model: "m",
  state: "My parcel arrived broken.",
  questions: Object.fromEntries(TYPE_NAMES.map((name) => [name, TYPE_SAMPLES[name].question])),
}
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
  const sample = TYPE_SAMPLES[name]
  const type = typeOf(question)
  const answerWith = (members: Record<string, unknown>) =>
    JSON.parse(type.renderAnswer(question, type.readAnswer(question, members)))

  test("is described by its schema", () => {
    expect(Question.safeParse(sample.question)).toMatchObject({ success: true })
  })

  test("bills its instructions first", () => {
    expect(questionTexts(question)[0]).toBe(question.instructions)
  })

  test("turns an engine's answer into the response's, which its schema describes and its chart can draw", () => {
    const answer = answerWith(sample.engine)
    expect(answer).toEqual(sample.answer)
    expect(Answer.safeParse(answer)).toMatchObject({ success: true })
    expect(prepareAnswer(question, answer)).toMatchObject({ name: question.name, type: name })
  })

  test("reads back the answer that it writes for an engine", () => {
    const answer = type.readAnswer(question, sample.engine)
    expect(type.readAnswer(question, type.writeAnswer(question, answer))).toEqual(answer)
  })

  test("states the share that a threshold decides by where exported programs read it", () => {
    const decisive = measured(prepareAnswer(question, sample.answer))
    expect(decisive?.share.value ?? null).toBe(sample.share)
    if (decisive) expect(sample.answer[SHARE_MEMBERS[decisive.kind]]).toBe(sample.share)
  })
})
