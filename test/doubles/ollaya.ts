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

export interface OllayaSettings {
  model: string
  /** The model name in responses, which differs from the requested one. */
  canonical: string
  version: string
  contextTokens: number
  /** Reads this many tokens of a state and leaves out the rest without saying so, as no real ollaya does. Null: refuses it. */
  cutsAt: number | null
  maxOptions: number
  apiKey: string | null
}

export type OllayaDouble = Double<OllayaSettings>

const MAX_QUESTIONS = 256
const STYLE: Style = { decimals: 4, confidence: aboveEven }
const invalid = (path: string, message: string) => new Refusal(422, "INVALID_REQUEST", `${path}: ${message}`)

function checked(name: string, question: unknown, { maxOptions, canonical }: OllayaSettings): Asked {
  const path = `questions.${name}`
  if (!isObject(question)) throw invalid(path, "Input should be a valid dictionary")
  const { type, criteria } = question
  if (type === "choice" && !isObject(criteria)) throw invalid(`${path}.choice.criteria`, "Field required")
  if (type === "score" && !Array.isArray(criteria)) throw invalid(`${path}.score.criteria`, "Field required")
  const asked = askedOf(name, { ...question, instructions: question.instructions ?? name })
  const [word, max] = type === "score" ? ["List", 10] : ["Dictionary", 255]
  if (asked.names.length < 2)
    throw invalid(`${path}.${type}.criteria`, `${word} should have at least 2 items after validation, not 1`)
  if (asked.names.length > max) throw invalid(`${path}.${type}.criteria`, `${word} should have at most ${max} items`)
  if (asked.names.length > maxOptions)
    throw new Refusal(
      422,
      "TOO_MANY_OPTIONS",
      `${path}.${type}.criteria: ${asked.names.length} options do not fit the option budget of ${canonical}`,
    )
  return asked
}

function decide(body: Record<string, unknown>, settings: OllayaSettings) {
  const { model, canonical, contextTokens, cutsAt } = settings
  if (body.model !== model && body.model !== canonical)
    throw new Refusal(404, "MODEL_NOT_FOUND", `model "${String(body.model)}" not found, try pulling it first`)
  if (!isObject(body.questions) || !Object.keys(body.questions).length)
    throw invalid("questions", "Dictionary should have at least 1 item after validation, not 0")
  if (Object.keys(body.questions).length > MAX_QUESTIONS)
    throw invalid("questions", `Dictionary should have at most ${MAX_QUESTIONS} items after validation`)
  const whole = textOf(body.state)
  const state = cutsAt === null ? whole : tokensOf(whole).slice(0, cutsAt).join("")
  const asked = Object.entries(body.questions).map(([name, question]) => checked(name, question, settings))
  const questions = Object.values(body.questions)
  const prompts = asked.map((_, i) => [...tokensOf(textOf(questions[i])), ...tokensOf(state)])
  if (prompts.some((prompt) => prompt.length > contextTokens))
    throw new Refusal(422, "STATE_TRUNCATED", `state: part of state was dropped to fit the context of ${canonical}`)
  const answer: DecisionBody = {
    model: canonical,
    answers: Object.fromEntries(asked.map((question) => [question.name, answerOf(state, question, STYLE)])),
    usage: { input_tokens: prompts.reduce((sum, prompt) => sum + prompt.length, 0), output_tokens: 0 },
  }
  return { answer, prompts }
}

const ollaya: Family<OllayaSettings> = {
  decide,
  route({ settings: { model, version } }, method, path) {
    if (method === "GET" && path === "/") return "Ollaya is running"
    if (method === "GET" && path === "/api/version") return { version }
    if (method === "GET" && path === "/v1/models")
      return { models: [{ name: model, description: "A decision model.", release_date: "2026-09-24" }] }
    throw new Refusal(404, "NOT_FOUND", "no such endpoint")
  },
  errorOf: ({ status, kind, message }) => ({ error: message, code: status === 400 ? "INVALID_JSON" : kind }),
}

/** Starts a double of ollaya, modelled on its API contract: four decimals, limited options, no truncated state. */
export function startOllaya({
  port = 0,
  ...settings
}: Partial<OllayaSettings> & { port?: number } = {}): Promise<OllayaDouble> {
  const standard: OllayaSettings = {
    model: "laya",
    canonical: "laya:en",
    version: "0.1.0",
    contextTokens: 16_640,
    cutsAt: null,
    maxOptions: 255,
    apiKey: null,
  }
  return startDouble(ollaya, { ...standard, ...settings }, port)
}

export const ENGINE_SAMPLES: EngineSample[] = [
  { name: "ollaya", family: "System One", start: startOllaya, model: "laya", step: 1e-4 },
]
