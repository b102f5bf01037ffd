import {
  aboveEven,
  answerOf,
  type DecisionBody,
  hashed,
  isObject,
  Refusal,
  type Style,
  textOf,
  tokensOf,
  tokensWithSpecial,
} from "./decision-model"
import type { Double } from "./engine-double"
import { type CheckSettings, checked, invalid, parseBody } from "./llama-checks"
import { type Prompt, type PromptSettings, promptsOf, rendered } from "./llama-prompts"
import { groupsOf, type SlotSettings, Slots } from "./slots"
import { type EngineSample, type Family, startDouble } from "./system-one-double"

export type { Fault } from "./engine-double"

export interface LlamaCppSettings extends CheckSettings, SlotSettings, PromptSettings {
  alias: string
  build: string
  contextTokens: number
  /** The maximum number of questions per call. The real llama.cpp has no such limit. */
  maxQuestions: number
  apiKey: string | null
  isDecisionModel: boolean
  /** Responds 404 to `/tokenize` and `/props`, like another engine of the same protocol. */
  isPlainWire: boolean
  answersAs: string | null
  /** An early build, which crashes on `<|` followed by more than 10,000 letters. */
  isEarlyKev: boolean
  /** How much a probability may differ between calls of different shapes. The real server differs by up to 1e-3. */
  noise: number
  /** What `/v1/models` reports about the weights. */
  weights: { n_params: number; size: number; n_vocab: number; ftype: string }
  modelPath: string
}

export interface LlamaCppDouble extends Double<LlamaCppSettings> {
  slots: Slots
  /** The texts and tokens of the last call's prompts. */
  lastPrompts: Prompt[]
}

const CRASHES = /<\|\w{10001}/

/** The family's own confidence. The service never passes it on. */
const STYLE: Style = {
  decimals: null,
  confidence: (p, type) => (type === "choice" ? aboveEven(p) : aboveEven(p) / 2),
}

function readTokens(prompts: Prompt[], { isStrictVariant, slots }: LlamaCppSettings): number {
  const all = prompts.map(({ tokens }) => tokens)
  const sum = all.reduce((total, prompt) => total + prompt.length, 0)
  if (!isStrictVariant) return sum
  return groupsOf(all, slots).reduce((total, group) => total - group.shared * (group.prompts.length - 1), sum)
}

function decide(body: Record<string, unknown>, settings: LlamaCppSettings) {
  const { alias, kind, contextTokens, maxQuestions, isDecisionModel, answersAs, noise } = settings
  if (!isDecisionModel) throw new Refusal(501, "not_supported_error", "This server does not support decisions")
  if (!isObject(body.questions) || !Object.keys(body.questions).length)
    throw invalid('"questions" must be a non-empty object', settings)
  if (body.state == null) throw invalid('"state" must be provided', settings)
  const entries = Object.entries(body.questions)
  if (entries.length > maxQuestions)
    throw invalid(`too many questions (${entries.length}), this server supports at most ${maxQuestions}`, settings)
  const asked = entries.map(([name, question]) => checked(name, question, settings))
  const prompts = promptsOf(settings, body.state, entries as [string, Record<string, unknown>][])
  const longest = Math.max(...prompts.map(({ tokens }) => tokens.length))
  if (longest > contextTokens)
    throw new Refusal(
      400,
      "exceed_context_size_error",
      `request (${longest} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`,
      { n_prompt_tokens: longest, n_ctx: contextTokens },
    )
  // A model that reads all questions together lets them influence each other.
  const isJoint = kind === "nimble" || kind === "clef"
  const state = rendered(kind, body.state) + (isJoint && entries.length > 1 ? entries.map(([name]) => name).join() : "")
  const answers = asked.map((question, i) => {
    const shape = { size: noise, shape: `${i} of ${entries.length}` }
    return [question.name, answerOf(state, question, STYLE, shape)] as const
  })
  const answer: DecisionBody = {
    model: answersAs ?? alias,
    answers: Object.fromEntries(answers),
    usage: { input_tokens: readTokens(prompts, settings), output_tokens: 0 },
  }
  return { answer, prompts }
}

function tokenize(text: string, settings: LlamaCppSettings): unknown {
  const { content, parse_special: isParsed = true } = parseBody(text, settings)
  const pieces = isParsed ? tokensWithSpecial(textOf(content), settings.controlTokens) : tokensOf(textOf(content))
  return { tokens: pieces.map((piece) => Math.floor(hashed(piece) * 150_000)) }
}

function models({ alias, isDecisionModel, isPlainWire, weights }: LlamaCppSettings): unknown {
  const entry = { id: alias, object: "model" }
  const architecture = { input_modalities: ["text"], output_modalities: isDecisionModel ? ["decisions"] : ["text"] }
  const meta = { vocab_type: 2, n_ctx_train: 262_144, n_embd: 2_560, ...weights }
  return { object: "list", data: [isPlainWire ? entry : { ...entry, owned_by: "llamacpp", architecture, meta }] }
}

const llamaCpp: Family<LlamaCppSettings, LlamaCppDouble> = {
  closesAfterError: true,
  parse: parseBody,
  decide(body, settings, double) {
    if (settings.isEarlyKev && CRASHES.test(textOf(body))) void double.stop()
    const { answer, prompts } = decide(body, settings)
    double.lastPrompts = prompts
    return { answer, prompts: prompts.map(({ tokens }) => tokens) }
  },
  compute: (double, prompts, signal) => double.slots.run(prompts, signal),
  route({ settings }, method, path, body) {
    const { build, slots, contextTokens, modelPath, alias } = settings
    if (method === "GET" && path === "/health") return { status: "ok" }
    if (method === "GET" && path === "/v1/models") return models(settings)
    if (method === "GET" && path === "/props" && !settings.isPlainWire)
      return {
        build_info: build,
        total_slots: slots,
        model_alias: alias,
        model_path: modelPath,
        default_generation_settings: { n_ctx: contextTokens },
      }
    if (method === "POST" && path === "/tokenize" && !settings.isPlainWire) return tokenize(body, settings)
    throw new Refusal(404, "not_found_error", "File Not Found")
  },
  errorOf: ({ status, kind, message, extra }) => ({ error: { code: status, message, type: kind, ...extra } }),
}

/**
 * Starts a double of `llama-server` with a decision model, modelled on observations of the real server. Answers are a hash of
 * the input, so the same question always gets the same numbers, up to `noise`.
 */
export async function startLlamaCpp({
  port = 0,
  ...settings
}: Partial<LlamaCppSettings> & { port?: number } = {}): Promise<LlamaCppDouble> {
  const standard: LlamaCppSettings = {
    alias: "kev-4b",
    build: "b11400-0a1b2c3d",
    kind: "kev",
    slots: 4,
    contextTokens: 16_640,
    batchTokens: 8_192,
    maxOptions: 255,
    maxQuestions: Number.POSITIVE_INFINITY,
    apiKey: null,
    isDecisionModel: true,
    isPlainWire: false,
    isStrictVariant: false,
    isHybrid: false,
    headTokens: null,
    controlTokens: [],
    answersAs: null,
    isEarlyKev: false,
    noise: 1e-3,
    slotTokens: Number.POSITIVE_INFINITY,
    weights: { n_params: 4_022_468_096, size: 4_280_404_480, n_vocab: 151_936, ftype: "Q8_0" },
    modelPath: "/srv/models/Kev-4B-Q8_0.gguf",
  }
  const chosen = { ...standard, ...settings }
  return startDouble(llamaCpp, chosen, port, ({ prompts }) => ({ slots: new Slots(chosen, prompts), lastPrompts: [] }))
}

/** Without noise between call shapes, so that answers can be compared exactly. */
const quiet = (name: string, settings: Partial<LlamaCppSettings>): EngineSample => ({
  name,
  family: "llama.cpp",
  start: () => startLlamaCpp({ ...settings, noise: 0 }),
  model: "kev-4b",
  step: 1e-12,
})

export const ENGINE_SAMPLES: EngineSample[] = [
  quiet("llama.cpp", {}),
  quiet("llama.cpp, 52 options", { maxOptions: 52 }),
  quiet("llama.cpp, 26 options and a question at a time", { maxOptions: 26, maxQuestions: 1 }),
  quiet("llama.cpp, all questions at once", { kind: "nimble" }),
]
