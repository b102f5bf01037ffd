import { ServiceError } from "@/lib/shared/errors"
import type { CheckedQuestion, CheckedRequest } from "./check"

/** What an engine says of one question, options and levels in request order; not yet normalised. */
export type RawAnswer = { type: "noul"; yes: number } | { type: "choice" | "score"; probabilities: number[] }

const clamp = (value: number, high: number): number => Math.min(high, Math.max(0, value))

/** The index of the most likely entry; a tie goes to the one named first. */
export function mostLikely(probabilities: number[]): number {
  let best = 0
  probabilities.forEach((p, i) => {
    if (p > (probabilities[best] ?? 0)) best = i
  })
  return best
}

/** Confidence of a choice, 0 to 1: how far the most likely option stands above an even split; 1 with one option. */
export function choiceConfidence(probabilities: number[]): number {
  const n = probabilities.length
  if (n < 2) return 1
  return clamp((n * Math.max(...probabilities) - 1) / (n - 1), 1)
}

/** Confidence of a score, 0 to 1: 1 minus the spread around the most likely level, against an even split's spread. */
export function scoreConfidence(probabilities: number[]): number {
  const n = probabilities.length
  if (n < 2) return 1
  const mode = mostLikely(probabilities)
  const spread = probabilities.reduce((sum, p, i) => sum + p * Math.abs(i - mode), 0)
  const even = probabilities.reduce((sum, _, i) => sum + Math.abs(i - (n - 1) / 2), 0) / n
  return clamp(1 - spread / even, 1)
}

/** The probability-weighted average of the level indexes. */
export const scoreOf = (probabilities: number[]): number =>
  clamp(
    probabilities.reduce((sum, p, i) => sum + i * p, 0),
    probabilities.length - 1,
  )

function normalised(probabilities: number[], length: number): number[] {
  const sum = probabilities.reduce((total, p) => total + p, 0)
  if (probabilities.length !== length || !(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new ServiceError("upstream_error")
  return probabilities.map((p) => clamp(p / sum, 1))
}

/** Members as JSON text: an object of ours would move a name like `10` to the front and lose `__proto__`. */
const object = (members: [name: string, json: string][]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

function renderAnswer(question: CheckedQuestion, raw: RawAnswer | undefined): string {
  if (raw?.type !== question.type) throw new ServiceError("upstream_error")
  if (raw.type === "noul" || question.type === "noul") {
    if (raw.type !== "noul" || !Number.isFinite(raw.yes)) throw new ServiceError("upstream_error")
    return `{"type":"noul","noul":${clamp(raw.yes, 1)}}`
  }
  if (question.type === "choice") {
    const p = normalised(raw.probabilities, question.options.length)
    const choice = JSON.stringify(question.options[mostLikely(p)]?.name)
    const probabilities = object(question.options.map(({ name }, i) => [name, String(p[i])]))
    return `{"type":"choice","choice":${choice},"confidence":${choiceConfidence(p)},"probabilities":${probabilities}}`
  }
  const p = normalised(raw.probabilities, question.levels.length)
  const legend = object(question.levels.map((level, i) => [String(i), level.json()]))
  const probabilities = object(p.map((value, i) => [String(i), String(value)]))
  return `{"type":"score","score":${scoreOf(p)},"confidence":${scoreConfidence(p)},"legend":${legend},"probabilities":${probabilities}}`
}

/**
 * The body of a 200 as JSON text, names in request order and `legend` as it was sent. Probabilities are normalised to
 * sum 1 and not rounded. Throws `upstream_error` when the raw answers do not fit the questions.
 */
export function renderAnswers(
  request: CheckedRequest,
  answers: RawAnswer[],
  modelId: string,
  inputTokens: number,
): string {
  if (answers.length !== request.questions.length) throw new ServiceError("upstream_error")
  const rendered = object(request.questions.map((question, i) => [question.name, renderAnswer(question, answers[i])]))
  const usage = `{"input_tokens":${inputTokens},"output_tokens":${answers.length}}`
  return `{"model":${JSON.stringify(modelId)},"answers":${rendered},"usage":${usage}}`
}
