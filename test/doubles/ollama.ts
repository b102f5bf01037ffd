import {
  type Asked,
  answerOf,
  askedOf,
  type DecisionBody,
  isObject,
  lackOfEntropy,
  Refusal,
  type Style,
  textOf,
  tokensOf,
} from "./decision-model"
import type { Double } from "./engine-double"
import { type EngineSample, type Family, startDouble } from "./system-one-double"

export interface OllamaSettings {
  model: string
  version: string
  digest: string
  /** The context for which the model was loaded (`num_ctx`), in tokens. */
  contextTokens: number
  /** Truncates the state to the context silently, as Ollama does for clef and laya models. Others refuse. */
  cutsState: boolean
  apiKey: string | null
}

export type OllamaDouble = Double<OllamaSettings>

const MAX_QUESTIONS = 64
const MAX_CANDIDATES = 26
const STYLE: Style = { decimals: null, confidence: lackOfEntropy }

const invalid = (message: string) => new Refusal(400, "", message)
const isText = (value: unknown): value is string => typeof value === "string"

function checkCriteria(type: unknown, criteria: unknown): void {
  if (type === "noul" && criteria !== undefined) {
    if (!isObject(criteria)) throw invalid("noul criteria must be an object of true/false descriptions")
    if (!Object.values(criteria).every(isText)) throw invalid("noul descriptions must be strings")
  }
  if (type === "choice") {
    if (!isObject(criteria) || !Object.values(criteria).every((value) => value === null || isText(value)))
      throw invalid("choice criteria must map option keys to descriptions or null")
    if (Object.keys(criteria).some((key) => !key.trim())) throw invalid("choice keys must not be empty")
  }
  if (type === "score" && !(Array.isArray(criteria) && criteria.every(isText)))
    throw invalid("score descriptions must be strings")
}

function checked(name: string, question: unknown): Asked {
  if (!isObject(question)) throw invalid(`question "${name}": must be an object`)
  const { type, instructions, criteria } = question
  try {
    if (instructions == null || !textOf(instructions).trim())
      throw invalid("instructions must be a nonempty string, object, or array")
    if (type !== "noul" && type !== "choice" && type !== "score") throw invalid("type must be choice, noul, or score")
    checkCriteria(type, criteria)
  } catch (thrown) {
    throw thrown instanceof Refusal ? invalid(`question "${name}": ${thrown.message}`) : thrown
  }
  const asked = askedOf(name, question)
  if (asked.names.length < 2 || asked.names.length > MAX_CANDIDATES)
    throw invalid(`question "${name}": criteria must contain 2–26 candidates`)
  return asked
}

function decide(body: Record<string, unknown>, settings: OllamaSettings) {
  const { model, contextTokens, cutsState } = settings
  if (body.model !== model && body.model !== `${model}:latest`)
    throw new Refusal(404, "", `model '${String(body.model)}' not found`)
  const count = isObject(body.questions) ? Object.keys(body.questions).length : 0
  if (!isObject(body.questions) || count < 1 || count > MAX_QUESTIONS)
    throw invalid("questions must contain 1–64 fields")
  if (body.state == null || !textOf(body.state).trim()) throw invalid("state must not be empty")
  const asked = Object.entries(body.questions).map(([name, question]) => checked(name, question))
  // Each prompt has the state, all questions, and the name of the one to answer.
  const schema = tokensOf(textOf(body.questions))
  const room = contextTokens - schema.length - 1
  const read = tokensOf(textOf(body.state))
  if (read.length > room && !cutsState)
    throw invalid(`prompt has ${read.length + schema.length + 1} tokens, which exceeds the context length`)
  const kept = read.slice(0, room)
  const others = asked.length > 1 ? asked.map(({ name }) => name).join() : ""
  const state = (kept.length < read.length ? kept.join("") : textOf(body.state)) + others
  const prompts = asked.map(({ name }) => [...kept, ...schema, name])
  const answer: DecisionBody = {
    model: String(body.model),
    answers: Object.fromEntries(asked.map((question) => [question.name, answerOf(state, question, STYLE)])),
    usage: { input_tokens: prompts.reduce((sum, prompt) => sum + prompt.length, 0), output_tokens: 1 },
  }
  return { answer, prompts }
}

const ollama: Family<OllamaSettings> = {
  decide,
  route({ settings }, method, path, body) {
    const { model, version, digest, contextTokens } = settings
    const name = `${model}:latest`
    if (method === "GET" && path === "/") return "Ollama is running"
    if (method === "GET" && path === "/api/version") return { version }
    if (method === "GET" && path === "/v1/models")
      return { object: "list", data: [{ id: name, object: "model", created: 1_790_000_000, owned_by: "library" }] }
    if (method === "GET" && path === "/api/tags") return { models: [{ name, model: name, digest }] }
    if (method === "GET" && path === "/api/ps") return { models: [{ name, digest, context_length: contextTokens }] }
    if (method === "POST" && path === "/api/show") {
      const { model: asked } = JSON.parse(body)
      if (asked !== model && asked !== name) throw new Refusal(404, "", `model '${asked}' not found`)
      return { capabilities: ["decision"], details: { format: "safetensors" } }
    }
    throw new Refusal(404, "", "404 page not found")
  },
  errorOf: ({ message }) => ({ error: message }),
}

/** Starts a double of Ollama 0.35 or newer with a decision model, modelled on its documentation and `decision/systemone.go`. */
export function startOllama({
  port = 0,
  ...settings
}: Partial<OllamaSettings> & { port?: number } = {}): Promise<OllamaDouble> {
  const standard: OllamaSettings = {
    model: "nimble",
    version: "0.40.12",
    digest: "3f1c9a7be2d04c5586a1",
    contextTokens: 16_640,
    cutsState: false,
    apiKey: null,
  }
  return startDouble(ollama, { ...standard, ...settings }, port)
}

export const ENGINE_SAMPLES: EngineSample[] = [
  { name: "Ollama", family: "Ollama", start: startOllama, model: "nimble", step: 1e-12 },
]
