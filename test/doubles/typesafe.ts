import {
  type Asked,
  aboveEven,
  answerOf,
  askedOf,
  type DecisionBody,
  isObject,
  Refusal,
  type Style,
  textOf,
  tokensOf,
} from "./decision-model"
import type { Double } from "./engine-double"
import { type EngineSample, type Family, startDouble } from "./system-one-double"

export interface TypesafeSettings {
  alias: string
  pinned: string
  /** Maximum number of tokens of the state and the longest question. */
  contextTokens: number
  apiKey: string | null
}

export type TypesafeDouble = Double<TypesafeSettings>

const STYLE: Style = { decimals: 2, confidence: aboveEven }
/** Tokens that every request has in addition to its texts. */
const FIXED_TOKENS = 261
const issue = (path: string[], message: string) =>
  new Refusal(422, "detail", message, { loc: ["body", ...path], type: "value_error" })

function checked(name: string, question: unknown): Asked {
  if (!isObject(question)) throw issue(["questions", name], "Input should be a valid dictionary")
  const { type, criteria } = question
  const path = ["questions", name, String(type), "criteria"]
  if (type === "choice" && !isObject(criteria)) throw issue(path, "Field required")
  if (type === "score" && !Array.isArray(criteria)) throw issue(path, "Field required")
  const asked = askedOf(name, question)
  const max = type === "score" ? 10 : 255
  if (asked.names.length > max) throw issue(path, `should have at most ${max} items after validation`)
  return asked
}

function decide(body: Record<string, unknown>, { alias, pinned, contextTokens }: TypesafeSettings) {
  if (body.model !== alias && body.model !== pinned) throw issue(["model"], "unknown model")
  if (!isObject(body.questions) || !Object.keys(body.questions).length) throw issue(["questions"], "Field required")
  const state = textOf(body.state)
  const asked = Object.entries(body.questions).map(([name, question]) => checked(name, question))
  const questions = Object.values(body.questions).map((question) => tokensOf(textOf(question)))
  const read = tokensOf(state)
  if (questions.some((question) => read.length + question.length > contextTokens))
    throw new Refusal(422, "max_tokens_exceeded", "")
  const answer: DecisionBody = {
    model: pinned,
    answers: Object.fromEntries(asked.map((question) => [question.name, answerOf(state, question, STYLE)])),
    // The state counts once for all questions.
    usage: {
      input_tokens: FIXED_TOKENS + read.length + questions.reduce((sum, question) => sum + question.length, 0),
      output_tokens: 71,
    },
  }
  return { answer, prompts: questions.map((question) => [...read, ...question]) }
}

const typesafe: Family<TypesafeSettings> = {
  decide,
  route({ settings: { alias, pinned } }, method, path) {
    if (method === "GET" && path === "/v1/models")
      return { models: [alias, pinned].map((name) => ({ name, description: "", release_date: "2026-09-01" })) }
    throw new Refusal(404, "detail", "Not Found")
  },
  errorOf: ({ kind, message, extra }) =>
    kind === "detail" ? { detail: [{ msg: message, ...extra }] } : { error: { type: kind, message } },
}

/** Starts a double of TypeSafe's hosted service, modelled on its OpenAPI document and fixtures: two decimals and an alias. */
export function startTypesafe({
  port = 0,
  ...settings
}: Partial<TypesafeSettings> & { port?: number } = {}): Promise<TypesafeDouble> {
  const standard: TypesafeSettings = {
    alias: "jev-latest",
    pinned: "jev-1.13.0",
    contextTokens: 32_768,
    apiKey: null,
  }
  return startDouble(typesafe, { ...standard, ...settings }, port)
}

export const ENGINE_SAMPLES: EngineSample[] = [
  { name: "TypeSafe", family: "System One", start: startTypesafe, model: "jev-latest", step: 1e-2 },
]
