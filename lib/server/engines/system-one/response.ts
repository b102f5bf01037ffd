import type { RawAnswer } from "@/lib/shared/decisions/answers"
import type { CheckedQuestion } from "@/lib/shared/decisions/check"
import { ServiceError } from "@/lib/shared/errors"

/** Rounding of an engine may lift a probability a little over 1. */
const ROUNDING = 1e-6

/** What an engine's response says. */
export interface Reply {
  /** One for each question that was asked, in that order. */
  answers: RawAnswer[]
  /** The name of the model that answered, where it is told. */
  model: string | null
  /** How many tokens the engine says that it read, where it does. */
  inputTokens: number | null
}

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

function tokensOf(usage: unknown): number | null {
  const tokens = isMembers(usage) ? usage.input_tokens : null
  return typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0 ? tokens : null
}

/**
 * An engine's response to these questions. Of the answers only probabilities are read: engines differ in `confidence`,
 * `score` and rounding. Throws `upstream_error` unless all is there and sound.
 */
export function readReply(questions: CheckedQuestion[], text: string): Reply {
  const body = parseJson(text)
  if (!isMembers(body)) bad()
  const answers = exactly(
    body.answers,
    questions.map(({ name }) => name),
  )
  return {
    answers: questions.map((question, i) => readAnswer(question, answers[i])),
    model: typeof body.model === "string" ? body.model : null,
    inputTokens: tokensOf(body.usage),
  }
}
