import { badResponse, isMembers, readExactly } from "@/questions/engine-wire"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"

export interface Reply {
  /** One per question asked, in that order. */
  answers: RawAnswer[]
  /** The name of the model that answered; null when the response does not state it. */
  model: string | null
  /** How many tokens the engine reports to have read; null when it does not. */
  inputTokens: number | null
}

function readAnswer(question: CheckedQuestion, answer: unknown): RawAnswer {
  if (!isMembers(answer) || answer.type !== question.type) badResponse()
  return typeOf(question).readAnswer(question, answer)
}

/** Parses JSON. Throws `upstream_error` when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return badResponse()
  }
}

function tokensOf(usage: unknown): number | null {
  const tokens = isMembers(usage) ? usage.input_tokens : null
  return typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0 ? tokens : null
}

/**
 * Reads an engine's response to these questions. Only probabilities count: engines differ in `confidence`, `score` and
 * rounding. Throws `upstream_error` when an answer is missing or malformed.
 */
export function readReply(questions: CheckedQuestion[], text: string): Reply {
  const body = parseJson(text)
  if (!isMembers(body)) badResponse()
  const answers = readExactly(
    body.answers,
    questions.map(({ name }) => name),
  )
  return {
    answers: questions.map((question, i) => readAnswer(question, answers[i])),
    model: typeof body.model === "string" ? body.model : null,
    inputTokens: tokensOf(body.usage),
  }
}
