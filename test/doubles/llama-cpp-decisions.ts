import { createHash } from "node:crypto"

export interface DecisionBody {
  model: string
  answers: Record<string, Record<string, unknown>>
  usage: { input_tokens: number; output_tokens: number }
}

/** What a decision model is like, as far as its answers show it. */
export interface DecisionModel {
  alias: string
  contextTokens: number
  maxOptions: number
  isDecisionModel: boolean
}

/** An error in llama.cpp's shape. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly extra: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

export const invalid = (message: string) => new Refusal(400, "invalid_request_error", message)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Pieces of up to four characters of a word, with the space before it; a byte-level tokenizer makes no more. */
export const tokensOf = (text: string): string[] => text.match(/\s?[^\s]{1,4}|\s/gu) ?? []

export const hashed = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32

function softmax(values: number[]): number[] {
  const weights = values.map((value) => Math.exp(4 * value))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
const isEmpty = (value: unknown): boolean => value == null || ["", "{}", "[]"].includes(textOf(value))

function answerQuestion(name: string, question: unknown, state: string, maxOptions: number) {
  if (!isObject(question)) throw invalid(`questions.${name}: must be an object`)
  const { type, instructions, criteria } = question
  if (isEmpty(instructions)) throw invalid(`questions.${name}: instructions must not be empty`)
  const pick = (labels: string[]) =>
    softmax(labels.map((label) => hashed([state, name, textOf(instructions), label].join("\0"))))
  if (type === "noul") {
    if (
      criteria !== undefined &&
      !(isObject(criteria) && Object.keys(criteria).every((key) => /^(?:true|false)$/.test(key)))
    )
      throw invalid(`questions.${name}: criteria must have true and false only`)
    return { type, noul: pick(["yes", "no"])[0] }
  }
  if (type === "choice") {
    if (!isObject(criteria) || !Object.keys(criteria).length)
      throw invalid(`questions.${name}: criteria must be an object`)
    const names = Object.keys(criteria)
    if (names.length > maxOptions)
      throw invalid(`questions.${name}: too many options (${names.length}), this model supports at most ${maxOptions}`)
    const p = pick(names)
    const top = Math.max(...p)
    const confidence = names.length < 2 ? 1 : (top - 1 / names.length) / (1 - 1 / names.length)
    const probabilities = Object.fromEntries(names.map((option, i) => [option, p[i]]))
    return { type, choice: names[p.indexOf(top)], probabilities, confidence }
  }
  if (type !== "score") throw invalid(`questions.${name}: unknown type`)
  if (!Array.isArray(criteria) || criteria.length < 2 || criteria.length > 10)
    throw invalid(`questions.${name}: criteria must have 2 to 10 levels`)
  const p = pick(criteria.map((level, i) => `${i} ${textOf(level)}`))
  const byIndex = (values: unknown[]) => Object.fromEntries(values.map((value, i) => [String(i), value]))
  const score = p.reduce((sum, value, i) => sum + i * value, 0)
  return { type, score, legend: byIndex(criteria), probabilities: byIndex(p), confidence: 0.5 }
}

/** The answer to `POST /v1/systemone`. Throws a `Refusal`. */
export function decide(
  text: string,
  { alias, contextTokens, maxOptions, isDecisionModel }: DecisionModel,
): DecisionBody {
  if (!isDecisionModel) throw new Refusal(501, "not_supported_error", "This model does not support decisions")
  const body: unknown = JSON.parse(text)
  if (!isObject(body) || !isObject(body.questions) || !Object.keys(body.questions).length)
    throw invalid("questions must be a non-empty object")
  if (body.state == null) throw invalid("state must not be null")
  const state = textOf(body.state)
  let inputTokens = 0
  const answers = Object.entries(body.questions).map(([name, question]) => {
    // The state counts once for every question.
    const prompt = tokensOf(`${state} ${name} ${textOf(question)}`).length
    if (prompt > contextTokens)
      throw new Refusal(400, "exceed_context_size_error", "the request exceeds the available context size", {
        n_prompt_tokens: prompt,
        n_ctx: contextTokens,
      })
    inputTokens += prompt
    return [name, answerQuestion(name, question, state, maxOptions)] as const
  })
  return { model: alias, answers: Object.fromEntries(answers), usage: { input_tokens: inputTokens, output_tokens: 0 } }
}
