import {
  type Asked,
  aboveEven,
  answerOf,
  askedOf,
  type DecisionBody,
  hashed,
  isObject,
  Refusal,
  type Style,
  textOf,
  tokensOf,
} from "./decision-model"
import { type Double, type Family, startDouble } from "./system-one-double"

export type { Fault } from "./system-one-double"

export interface LlamaCppSettings {
  alias: string
  build: string
  slots: number
  contextTokens: number
  maxOptions: number
  /** The maximum number of questions per call. The real llama.cpp has no such limit. */
  maxQuestions: number
  apiKey: string | null
  isDecisionModel: boolean
  /** Responds 404 to `/tokenize` and `/props`, like another engine of the same protocol. */
  isPlainWire: boolean
  /** The model reads all questions of a call together, as `clef` and `nimble` do. */
  isJoint: boolean
  /** Truncates instructions to this many tokens silently, as `laya` does. Null: never. */
  headTokens: number | null
  answersAs: string | null
}

export type LlamaCppDouble = Double<LlamaCppSettings>

const invalid = (message: string) => new Refusal(400, "invalid_request_error", message)
const isEmpty = (value: unknown): boolean => value == null || ["", "{}", "[]"].includes(textOf(value))
/** The family's own confidence. The service never passes it on. */
const STYLE: Style = {
  decimals: null,
  confidence: (p, type) => (type === "choice" ? aboveEven(p) : aboveEven(p) / 2),
}

function checked(name: string, question: unknown, maxOptions: number): Asked {
  if (!isObject(question)) throw invalid(`questions.${name}: must be an object`)
  const { type, instructions, criteria } = question
  if (isEmpty(instructions)) throw invalid(`questions.${name}: "instructions" must be provided`)
  if (type === "choice" && (!isObject(criteria) || !Object.keys(criteria).length))
    throw invalid(`questions.${name}: "criteria" must be a non-empty object`)
  if (type === "score" && (!Array.isArray(criteria) || criteria.length < 2 || criteria.length > 10))
    throw invalid(`questions.${name}: "criteria" must be an array of 2 to 10 levels`)
  if (type === "noul" && criteria !== undefined && !isObject(criteria))
    throw invalid(`questions.${name}: "criteria" must be an object`)
  if (type !== "noul" && type !== "choice" && type !== "score")
    throw invalid(`questions.${name}: "type" must be one of: choice, score, noul`)
  const asked = askedOf(name, question)
  if (asked.names.length > maxOptions)
    throw invalid(
      `questions.${name}: too many options (${asked.names.length}), this model supports at most ${maxOptions}`,
    )
  return asked
}

function decide(body: Record<string, unknown>, settings: LlamaCppSettings) {
  const { alias, contextTokens, maxOptions, maxQuestions, isDecisionModel, isJoint, headTokens, answersAs } = settings
  if (!isDecisionModel) throw new Refusal(501, "not_supported_error", "This model does not support decisions")
  if (!isObject(body.questions) || !Object.keys(body.questions).length)
    throw invalid('"questions" must be a non-empty object')
  if (body.state == null) throw invalid('"state" must be provided')
  const entries = Object.entries(body.questions)
  if (entries.length > maxQuestions)
    throw invalid(`too many questions (${entries.length}), this server supports at most ${maxQuestions}`)
  // A model that reads all questions together lets them influence each other.
  const state = textOf(body.state) + (isJoint && entries.length > 1 ? entries.map(([name]) => name).join() : "")
  const prompts: string[][] = []
  const answers = entries.map(([name, question]) => {
    const asked = checked(name, question, maxOptions)
    const head = tokensOf(` ${name} ${textOf(question)}`)
    const prompt = [...tokensOf(state), ...(headTokens === null ? head : head.slice(0, headTokens))]
    if (prompt.length > contextTokens)
      throw new Refusal(400, "exceed_context_size_error", "the request exceeds the available context size", {
        n_prompt_tokens: prompt.length,
        n_ctx: contextTokens,
      })
    prompts.push(prompt)
    return [name, answerOf(state, asked, STYLE)] as const
  })
  // The state counts once for every question.
  const read = prompts.reduce((sum, prompt) => sum + prompt.length, 0)
  const answer: DecisionBody = {
    model: answersAs ?? alias,
    answers: Object.fromEntries(answers),
    usage: { input_tokens: read, output_tokens: 0 },
  }
  return { answer, prompts }
}

function tokenize(text: string): unknown {
  const { content } = JSON.parse(text)
  return { tokens: tokensOf(textOf(content)).map((piece) => Math.floor(hashed(piece) * 150_000)) }
}

function models({ alias, isDecisionModel, isPlainWire }: LlamaCppSettings): unknown {
  const entry = { id: alias, object: "model" }
  const architecture = { input_modalities: ["text"], output_modalities: isDecisionModel ? ["decisions"] : ["text"] }
  return { object: "list", data: [isPlainWire ? entry : { ...entry, owned_by: "llamacpp", architecture }] }
}

const llamaCpp: Family<LlamaCppSettings> = {
  decide,
  route({ settings }, method, path, body) {
    const { build, slots, contextTokens } = settings
    if (method === "GET" && path === "/v1/models") return models(settings)
    if (method === "GET" && path === "/props" && !settings.isPlainWire)
      return { build_info: build, total_slots: slots, default_generation_settings: { n_ctx: contextTokens } }
    if (method === "POST" && path === "/tokenize" && !settings.isPlainWire) return tokenize(body)
    throw new Refusal(404, "not_found_error", "File Not Found")
  },
  errorOf: ({ status, kind, message, extra }) => ({ error: { code: status, message, type: kind, ...extra } }),
}

/**
 * Starts a double of `llama-server` with a decision model, after the routes, errors and token counts of its documentation
 * and tests. Answers are a hash of the input, so the same question always gets the same numbers.
 */
export function startLlamaCpp({
  port = 0,
  ...settings
}: Partial<LlamaCppSettings> & { port?: number } = {}): Promise<LlamaCppDouble> {
  const standard: LlamaCppSettings = {
    alias: "kev-4b",
    build: "b11400-0a1b2c3d",
    slots: 4,
    contextTokens: 16_640,
    maxOptions: 255,
    maxQuestions: Number.POSITIVE_INFINITY,
    apiKey: null,
    isDecisionModel: true,
    isPlainWire: false,
    isJoint: false,
    headTokens: null,
    answersAs: null,
  }
  return startDouble(llamaCpp, { ...standard, ...settings }, port)
}
