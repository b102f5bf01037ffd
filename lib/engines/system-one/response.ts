import type { CheckedQuestion, CheckedRequest } from "../../decisions/check"
import { ServiceError } from "../../errors"
import type { RawAnswer } from "../engine"
import { isCertain } from "./request-body"

/** Rounding of an engine may lift a probability a little over 1. */
const ROUNDING = 1e-6

type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function bad(): never {
  throw new ServiceError("upstream_error")
}

function probability(value: unknown): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 1 + ROUNDING)) bad()
  return value
}

/** The members of exactly these names, in this order. */
function exactly(value: unknown, names: string[]): unknown[] {
  if (!isMembers(value) || Object.keys(value).length !== names.length) bad()
  return names.map((name) => (Object.hasOwn(value, name) ? value[name] : bad()))
}

function readAnswer(question: CheckedQuestion, answer: unknown): RawAnswer {
  if (!isMembers(answer) || answer.type !== question.type) bad()
  if (question.type === "noul") return { type: "noul", yes: probability(answer.noul) }
  const names =
    question.type === "choice" ? question.options.map(({ name }) => name) : question.levels.map((_, i) => String(i))
  const probabilities = exactly(answer.probabilities, names).map(probability)
  if (!probabilities.some((p) => p > 0)) bad()
  return { type: question.type, probabilities }
}

/** `text` parsed; `upstream_error` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return bad()
  }
}

/**
 * The raw answers in an engine's response, in request order, with those nobody had to be asked for. Only probabilities
 * are read: engines differ in `confidence`, `score` and `usage`. Throws `upstream_error` unless all is there and sound.
 */
export function readAnswers(request: CheckedRequest, text: string | null): RawAnswer[] {
  const asked = request.questions.filter((question) => !isCertain(question))
  const body = text === null ? { answers: {} } : parseJson(text)
  const answers = exactly(
    isMembers(body) ? body.answers : null,
    asked.map(({ name }) => name),
  )
  const read = new Map(asked.map((question, i) => [question, readAnswer(question, answers[i])]))
  return request.questions.map(
    (question) => read.get(question) ?? { type: question.type === "score" ? "score" : "choice", probabilities: [1] },
  )
}
