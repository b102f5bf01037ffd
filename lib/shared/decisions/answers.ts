import { ServiceError } from "@/lib/shared/errors"
import { jsonObject } from "@/questions/answer-text"
import { memberOf } from "@/questions/display"
import {
  type CheckedQuestion,
  type PreparedAnswer,
  prepareAnswer,
  type RawAnswer,
  typeOf,
} from "@/questions/question-types"
import type { CheckedRequest } from "./check-request"

function renderAnswer(question: CheckedQuestion, answer: RawAnswer | undefined): string {
  if (answer?.type !== question.type) throw new ServiceError("upstream_error")
  return typeOf(question).renderAnswer(question, answer)
}

/** Renders each answer by the client's name of its question, as `renderAnswers` does. */
export function renderNamed({ questions, clientNames }: CheckedRequest, answers: RawAnswer[]): string {
  if (answers.length !== questions.length) throw new ServiceError("upstream_error")
  return jsonObject(
    questions.map((question, i) => [clientNames?.[i] ?? question.name, renderAnswer(question, answers[i])]),
  )
}

/**
 * Renders the body of a 200 as JSON, with names in request order and `legend` as sent. Probabilities are scaled to sum 1
 * and not rounded. Throws `upstream_error` when the answers do not fit the questions.
 */
export function renderAnswers(
  request: CheckedRequest,
  answers: RawAnswer[],
  modelId: string,
  inputTokens: number,
): string {
  const rendered = renderNamed(request, answers)
  const usage = `{"input_tokens":${inputTokens},"output_tokens":${answers.length}}`
  return `{"model":${JSON.stringify(modelId)},"answers":${rendered},"usage":${usage}}`
}

/**
 * Turns a parsed 200 body into chart data, one per question. Order and labels come from the request that was sent: parsing
 * the body moves names such as "10" to the front.
 */
export function prepareAnswers(request: CheckedRequest, body: unknown): PreparedAnswer[] {
  const answers = memberOf(body, "answers")
  return request.questions.map((question) => prepareAnswer(question, memberOf(answers, question.name)))
}
