import {
  type Asked,
  answerOf,
  askedOf,
  type DecisionBody,
  isObject,
  Refusal,
  type Style,
  tokensOf,
} from "./decision-model"
import type { Double } from "./engine-double"
import { type EngineSample, type Family, startDouble } from "./system-one-double"

export interface VllmDecisionsSettings {
  servedName: string
  version: string
  root: string
  maxModelLen: number
  apiKey: string | null
  /** The probability of all labels together, over the whole vocabulary. */
  labelMass: number
  argmaxIsLabel: boolean
  /** An architecture without decisions: 501. */
  isSupported: boolean
}

export type VllmDecisionsDouble = Double<VllmDecisionsSettings>

const MAX_QUESTIONS = 64
const MAX_OPTIONS = 26
const MAX_LEVELS = 10
const FIELDS = ["type", "instructions", "criteria"]
const TYPES = ["choice", "noul", "score"]

const invalid = (message: string) => new Refusal(400, "BadRequestError", message)
const quoted = (name: string) => `question '${name}'`

/** Writes a value as Python's `str()` does: strings as they are, anything else as its representation. */
function python(value: unknown): string {
  if (typeof value === "string") return value
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  const inner = (item: unknown) => (typeof item === "string" ? `'${item}'` : python(item))
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, item]) => `'${name}': ${inner(item)}`)
      .join(", ")}}`
  return String(value)
}

/** Writes a value as `json.dumps(…, ensure_ascii=False)` does, with spaces after commas and colons. */
function dumped(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumped).join(", ")}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}: ${dumped(item)}`)
      .join(", ")}}`
  return JSON.stringify(value)
}

function parsedOptions(name: string, type: string, criteria: unknown): string[] {
  if (type === "choice") {
    if (!isObject(criteria) || Object.keys(criteria).length === 0)
      throw invalid(`${quoted(name)}: choice criteria must map option names to a description or null`)
    return Object.keys(criteria)
  }
  if (type === "score") {
    if (!Array.isArray(criteria) || criteria.length < 2)
      throw invalid(`${quoted(name)}: score criteria must be an ordered list of levels`)
    return criteria.map(python)
  }
  if (
    criteria != null &&
    !(isObject(criteria) && Object.keys(criteria).every((key) => key === "true" || key === "false"))
  )
    throw invalid(`${quoted(name)}: noul criteria must be an object with true and false`)
  return ["yes", "no"]
}

function checked(name: string, question: unknown): Asked {
  if (!isObject(question)) throw invalid("Input should be a valid dictionary")
  const unknown = Object.keys(question).filter((field) => !FIELDS.includes(field))
  if (unknown.length > 0)
    throw invalid(
      `${quoted(name)}: unknown field(s) [${unknown
        .toSorted()
        .map((field) => `'${field}'`)
        .join(", ")}]`,
    )
  if (name === "") throw invalid("question ids must be non-empty")
  const { type, instructions, criteria } = question
  if (typeof type !== "string" || !TYPES.includes(type))
    throw invalid(`unknown question type '${String(type)}'; supported: ['choice', 'noul', 'score']`)
  const options = parsedOptions(name, type, criteria)
  if (new Set(options).size < options.length) throw invalid(`${quoted(name)}: duplicate option names`)
  const most = type === "score" ? MAX_LEVELS : MAX_OPTIONS
  if (options.length > most) throw invalid(`${quoted(name)}: at most ${most} options for this model`)
  return askedOf(name, { ...question, instructions: instructions == null ? "" : python(instructions) })
}

/** Writes the prompt of one question, after the state. */
function questionText({ type, names, meanings, instructions }: Asked, criteria: unknown): string {
  const lines = instructions ? [`Question: ${instructions}`] : []
  if (type === "noul") {
    for (const [label, key] of [
      ["yes", "true"],
      ["no", "false"],
    ] as const) {
      const text = isObject(criteria) ? criteria[key] : null
      if (text) lines.push(`${label}: ${python(text)}`)
    }
    return [...lines, "Answer with yes or no only."].join("\n")
  }
  for (const [i, name] of names.entries()) {
    const label = type === "score" ? String(i) : String.fromCharCode(65 + i)
    const text = type === "score" ? meanings[i] : name
    const description = isObject(criteria) ? criteria[name] : null
    lines.push(description == null ? `${label}: ${text}` : `${label}: ${text} - ${python(description)}`)
  }
  const request =
    type === "score" ? "Answer with the number of one level only." : "Answer with the letter of one option only."
  return [...lines, request].join("\n")
}

/** The confidence is the likeliest label's probability over the whole vocabulary. */
const styleOf = (labelMass: number): Style => ({ decimals: null, confidence: (p) => Math.max(...p) * labelMass })

function decide(body: Record<string, unknown>, settings: VllmDecisionsSettings) {
  const { servedName, maxModelLen, labelMass, argmaxIsLabel, isSupported } = settings
  if (!isSupported) throw new Refusal(501, "NotImplementedError", "The model does not support structured decisions")
  if (body.model != null && body.model !== servedName)
    throw new Refusal(404, "NotFoundError", `The model \`${String(body.model)}\` does not exist.`)
  if (body.state === undefined) throw invalid("Field required")
  if (!isObject(body.questions) || Object.keys(body.questions).length === 0)
    throw invalid("questions: needs at least one question")
  const entries = Object.entries(body.questions)
  if (entries.length > MAX_QUESTIONS) throw invalid(`questions: at most ${MAX_QUESTIONS} for this model`)
  const state = typeof body.state === "string" ? body.state : dumped(body.state)
  const asked = entries.map(([name, question]) => checked(name, question))
  const salt = body.cache_salt === undefined ? [] : [`salt ${String(body.cache_salt)}`]
  const prompts = asked.map((question, i) => {
    const [, spec] = entries[i] ?? []
    return tokensOf(`${state}\n\n${questionText(question, isObject(spec) ? spec.criteria : null)}`)
  })
  const longest = Math.max(...prompts.map(({ length }) => length))
  if (longest >= maxModelLen)
    throw invalid(
      `This model's maximum context length is ${maxModelLen} tokens. However, your request has ${longest} input tokens. Please reduce the length of the input messages.`,
    )
  const style = styleOf(labelMass)
  const answers = asked.map((question) => [question.name, withBoth(answerOf(state, question, style), labelMass)])
  const answer = {
    id: "decision-1",
    object: "structured_decision",
    created: 1_795_000_000,
    model: servedName,
    answers: Object.fromEntries(answers),
    usage: { input_tokens: prompts.reduce((sum, { length }) => sum + length, 0), output_tokens: prompts.length },
    diagnostics: Object.fromEntries(
      asked.map(({ name }) => [name, { label_mass: labelMass, argmax_is_label: argmaxIsLabel }]),
    ),
  } satisfies DecisionBody & Record<string, unknown>
  return { answer, prompts: prompts.map((prompt) => [...salt, ...prompt]) }
}

/** A noul also has both probabilities and a confidence. */
function withBoth(answer: Record<string, unknown>, labelMass: number): Record<string, unknown> {
  if (answer.type !== "noul") return answer
  const yes = Number(answer.noul)
  return { ...answer, probabilities: { yes, no: 1 - yes }, confidence: Math.max(yes, 1 - yes) * labelMass }
}

function tokenize(text: string, { maxModelLen }: VllmDecisionsSettings): unknown {
  const { prompt } = JSON.parse(text)
  if (typeof prompt !== "string") throw invalid("Field required")
  const tokens = tokensOf(prompt)
  return { count: tokens.length, max_model_len: maxModelLen, tokens: tokens.map((_, i) => i), token_strs: null }
}

const vllm: Family<VllmDecisionsSettings> = {
  isProtected: (path) => path.startsWith("/v1"),
  decide,
  route({ settings }, method, path, body) {
    const { servedName, version, root, maxModelLen } = settings
    if (method === "POST" && path === "/tokenize") return tokenize(body, settings)
    if (method !== "GET") throw new Refusal(404, "NotFoundError", "Not Found")
    if (path === "/version") return { version }
    if (path === "/health" || path === "/ping") return ""
    if (path === "/v1/models")
      return {
        object: "list",
        data: [{ id: servedName, object: "model", owned_by: "vllm", root, max_model_len: maxModelLen }],
      }
    throw new Refusal(404, "NotFoundError", "Not Found")
  },
  errorOf: ({ status, kind, message }) =>
    status === 401 ? { error: "Unauthorized" } : { error: { message, type: kind, param: null, code: status } },
}

/**
 * Starts a double of vLLM's `/v1/systemone`, modelled on `vllm/entrypoints/generate/structured_decisions` of version 0.33: one prompt
 * per question, label mass in `diagnostics`.
 */
export function startVllmDecisions({
  port = 0,
  ...settings
}: Partial<VllmDecisionsSettings> & { port?: number } = {}): Promise<VllmDecisionsDouble> {
  const standard: VllmDecisionsSettings = {
    servedName: "qwen3-8b",
    version: "0.33.0",
    root: "/srv/models/Qwen3-8B",
    maxModelLen: 18_432,
    apiKey: null,
    labelMass: 0.9375,
    argmaxIsLabel: true,
    isSupported: true,
  }
  return startDouble(vllm, { ...standard, ...settings }, port)
}

export const ENGINE_SAMPLES: EngineSample[] = [
  { name: "vLLM", family: "vLLM", start: startVllmDecisions, model: "qwen3-8b", step: 1e-12 },
]
