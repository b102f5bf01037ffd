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

export interface SglangSettings {
  servedName: string
  contextTokens: number
  /** How many options get a single-token label with the served tokenizer. 255 for a decision checkpoint. */
  maxOptions: number
  apiKey: string | null
  /** The probability of all labels together, over the whole vocabulary. Null: a decision checkpoint, which has none. */
  labelMass: number | null
}

export type SglangDouble = Double<SglangSettings>

const STYLE: Style = { decimals: null, confidence: aboveEven }
/** The limit reported by a tokenizer without one. */
const MODEL_MAX_LENGTH = 1e30
const FIELDS = ["type", "instructions", "criteria"]

const unprocessable = (message: string) => new Refusal(422, "detail", message)
const invalid = (message: string) => new Refusal(400, "BadRequestError", message)
const isBlank = (value: unknown): boolean => value == null || !textOf(value).trim()

function checkNames(names: string[]): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the engine refuses exactly these.
  if (names.some((name) => /[\u0000-\u001f\u007f-\u009f]/.test(name)))
    throw unprocessable("option names must not contain control characters")
  const seen = new Set(names.map((name) => name.trim().toUpperCase().toLowerCase()))
  if (seen.size < names.length || seen.has("")) throw unprocessable("option names must be distinct and not blank")
}

function checked(name: string, question: unknown, { maxOptions }: SglangSettings): Asked {
  if (!isObject(question)) throw unprocessable("Input should be a valid dictionary")
  if (!Object.keys(question).every((field) => FIELDS.includes(field)))
    throw unprocessable("Extra inputs are not permitted")
  const { type, instructions, criteria } = question
  if (
    type === "noul" &&
    isBlank(instructions) &&
    !(isObject(criteria) && Object.values(criteria).some((v) => !isBlank(v)))
  )
    throw unprocessable("a noul question needs instructions or a true or false description to decide on")
  if (type === "score" && !(Array.isArray(criteria) && criteria.length <= 10 && !criteria.some(isBlank)))
    throw unprocessable("a level must not be blank")
  if (type === "choice" && !isObject(criteria)) throw unprocessable("Field required")
  const asked = askedOf(name, question)
  if (type === "choice") checkNames(asked.names)
  if (asked.names.length > maxOptions)
    throw invalid(
      `question '${name}': it has ${asked.names.length} options, but the served tokenizer and chat template can label at most ${maxOptions}`,
    )
  return asked
}

/** Returns an answer as the engine reports it: with probabilities over the whole vocabulary, and the score from these. */
function scored(answer: Record<string, unknown>, { labelMass }: SglangSettings): Record<string, unknown> {
  if (labelMass === null) return answer
  const { noul, score, probabilities } = answer
  const times = (value: unknown) => Number(value) * labelMass
  return {
    ...answer,
    ...(noul === undefined ? {} : { noul: times(noul) }),
    ...(score === undefined ? {} : { score: times(score) }),
    ...(isObject(probabilities) && {
      probabilities: Object.fromEntries(Object.entries(probabilities).map(([name, p]) => [name, times(p)])),
    }),
    x_label_mass: labelMass,
  }
}

function decide(body: Record<string, unknown>, settings: SglangSettings) {
  const { servedName, contextTokens } = settings
  if (!isObject(body.questions) || !Object.keys(body.questions).length)
    throw unprocessable("Dictionary should have at least 1 item after validation, not 0")
  if (isBlank(body.state)) throw unprocessable("state must not be blank")
  const state = textOf(body.state)
  const asked = Object.entries(body.questions).map(([name, question]) => checked(name, question, settings))
  const questions = Object.values(body.questions)
  const prompts = asked.map((_, i) => [...tokensOf(state), ...tokensOf(textOf(questions[i]))])
  const longest = Math.max(...prompts.map((prompt) => prompt.length))
  if (longest > contextTokens)
    throw invalid(`The input (${longest} tokens) is longer than the model's context length (${contextTokens} tokens).`)
  const answers = asked.map((question) => [question.name, scored(answerOf(state, question, STYLE), settings)])
  const answer: DecisionBody = {
    model: servedName,
    answers: Object.fromEntries(answers),
    usage: { input_tokens: prompts.reduce((sum, prompt) => sum + prompt.length, 0), output_tokens: 0 },
  }
  return { answer, prompts }
}

function tokenize(text: string): unknown {
  const { prompt } = JSON.parse(text)
  if (typeof prompt !== "string") throw unprocessable("Field required")
  const tokens = tokensOf(prompt)
  return { tokens: tokens.map((_, i) => i), count: tokens.length, max_model_len: MODEL_MAX_LENGTH }
}

const sglang: Family<SglangSettings> = {
  decide,
  route({ settings: { servedName, contextTokens } }, method, path, body) {
    if (method === "POST" && path === "/tokenize") return tokenize(body)
    if (method === "GET" && path === "/v1/models")
      return {
        object: "list",
        data: [{ id: servedName, object: "model", owned_by: "sglang", root: servedName, max_model_len: contextTokens }],
      }
    throw new Refusal(404, "detail", "Not Found")
  },
  errorOf: ({ status, kind, message }) =>
    kind === "detail" ? { detail: message } : { object: "error", message, type: kind, param: null, code: status },
}

/** Starts a double of SGLang's `/v1/systemone`, modelled on its protocol and handler. */
export function startSglang({
  port = 0,
  ...settings
}: Partial<SglangSettings> & { port?: number } = {}): Promise<SglangDouble> {
  const standard: SglangSettings = {
    servedName: "qwen3-8b",
    contextTokens: 16_640,
    maxOptions: 255,
    apiKey: null,
    labelMass: 0.9375,
  }
  return startDouble(sglang, { ...standard, ...settings }, port)
}

export const ENGINE_SAMPLES: EngineSample[] = [
  { name: "SGLang", family: "SGLang", start: startSglang, model: "qwen3-8b", step: 1e-12 },
  {
    name: "SGLang, 26 labels",
    family: "SGLang",
    start: () => startSglang({ maxOptions: 26 }),
    model: "qwen3-8b",
    step: 1e-12,
  },
  {
    name: "SGLang, a decision checkpoint",
    family: "SGLang",
    start: () => startSglang({ servedName: "pplx-decider", labelMass: null }),
    model: "pplx-decider",
    step: 1e-12,
  },
]
