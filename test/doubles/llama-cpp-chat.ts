import { Refusal } from "./decision-model"
import { type LabelDouble, type LabelFamily, type LabelSample, startLabelDouble } from "./label-double"
import {
  isIds,
  type Message,
  TOY_SETTINGS,
  type ToySettings,
  toyChat,
  toyIds,
  toyLogits,
  toyLogprobs,
  toyName,
  toyRanking,
  toyText,
} from "./toy-chat-model"

export interface LlamaCppChatSettings extends ToySettings {
  alias: string
  build: string
  modelPath: string
  slots: number
  contextTokens: number
  /** A tokenizer that puts a token before a text if `add_special` is set, as many do. */
  hasStartToken: boolean
  /** Ignores `logit_bias`, so that labels that are not likely are missing. */
  ignoresBias: boolean
  /** Responds as builds before December 2024: with `probs` instead of `top_probs`. The list is always empty here. */
  isOld: boolean
}

export type LlamaCppChatDouble = LabelDouble<LlamaCppChatSettings>

const START = toyIds("<|endoftext|>", true)

function tokenize({ hasStartToken }: LlamaCppChatSettings, body: Record<string, unknown>): unknown {
  const { content, add_special: adds, parse_special: parses = true } = body
  const ids = toyIds(String(content), parses === true)
  return { tokens: adds === true && hasStartToken ? [...START, ...ids] : ids }
}

/** Computes probabilities in single precision, as the engine does. */
function biased(logits: Map<number, number>, bias: unknown): [number, number][] {
  const added = new Map(Array.isArray(bias) ? (bias as [number, number][]) : [])
  const moved = [...logits].map(([id, logit]): [number, number] => [
    id,
    Math.fround(Math.fround(logit) + (added.get(id) ?? 0)),
  ])
  const top = Math.max(...moved.map(([, logit]) => logit))
  const weights = moved.map(([id, logit]): [number, number] => [id, Math.fround(Math.exp(logit - top))])
  const sum = weights.reduce((total, [, weight]) => Math.fround(total + weight), 0)
  return weights.map(([id, weight]) => [id, Math.fround(weight / sum)])
}

function complete({ settings }: LlamaCppChatDouble, body: Record<string, unknown>): unknown {
  const { contextTokens, habits, ignoresBias, guidedTo, isOld } = settings
  const { prompt, n_probs: count, logit_bias: bias, post_sampling_probs: isAfter } = body
  if (!isIds(prompt)) throw new Refusal(400, "invalid_request_error", "this double takes token ids")
  if (prompt.length >= contextTokens)
    throw new Refusal(400, "exceed_context_size_error", "the request exceeds the available context size")
  const logits = toyLogits(prompt, habits)
  const allowed = guidedTo === null ? null : new Set(guidedTo.flatMap((text) => toyIds(text, true)))
  const ranking = toyRanking(logits)
  const written = ranking.find((id) => allowed?.has(id) ?? true) ?? 0
  const after = biased(logits, ignoresBias ? [] : bias).toSorted(([, a], [, b]) => b - a)
  const before = [...toyLogprobs(logits)].toSorted(([, a], [, b]) => b - a)
  const listed = isAfter ? after.slice(0, Number(count)).filter(([, prob]) => prob > 0) : before.slice(0, Number(count))
  const entries = listed.map(([id, value]) => ({
    id,
    token: toyName(id),
    [isAfter ? "prob" : "logprob"]: Math.fround(value),
  }))
  const position = { id: written, token: toyName(written), [isAfter ? "top_probs" : "top_logprobs"]: entries }
  return {
    content: toyName(written),
    completion_probabilities: [isOld ? { content: toyName(written), probs: [] } : position],
    tokens_evaluated: prompt.length,
    truncated: false,
  }
}

const llamaCpp: LabelFamily<LlamaCppChatSettings> = {
  generates: "/completion",
  route(double, method, path, body) {
    const { alias, build, modelPath, slots, contextTokens, template } = double.settings
    if (method === "GET" && path === "/health") return { status: "ok" }
    if (method === "GET" && path === "/v1/models")
      return {
        object: "list",
        data: [{ id: alias, owned_by: "llamacpp", meta: { n_params: 4_000_000_000, size: 2_400_000_000 } }],
      }
    if (method === "GET" && path === "/props")
      return {
        build_info: build,
        total_slots: slots,
        model_path: modelPath,
        default_generation_settings: { n_ctx: contextTokens },
      }
    if (method === "POST" && path === "/apply-template")
      return { prompt: toyChat(body.messages as Message[], template, body.chat_template_kwargs) }
    if (method === "POST" && path === "/tokenize") return tokenize(double.settings, body)
    if (method === "POST" && path === "/detokenize" && isIds(body.tokens)) return { content: toyText(body.tokens) }
    if (method === "POST" && path === "/completion") return complete(double, body)
    throw new Refusal(404, "not_found_error", "File Not Found")
  },
  errorOf: ({ status, kind, message }) => ({ error: { code: status, message, type: kind } }),
}

/** Starts a double of `llama-server` with an ordinary chat model, modelled on its documentation and `server-task.cpp`. */
export function startLlamaCppChat({
  port = 0,
  ...settings
}: Partial<LlamaCppChatSettings> & { port?: number } = {}): Promise<LlamaCppChatDouble> {
  const standard: LlamaCppChatSettings = {
    ...TOY_SETTINGS,
    alias: "qwen-toy",
    build: "b11400-0a1b2c3d",
    modelPath: "/models/qwen-toy.gguf",
    slots: 4,
    contextTokens: 32_768,
    hasStartToken: true,
    ignoresBias: false,
    isOld: false,
  }
  return startLabelDouble(llamaCpp, { ...standard, ...settings }, port)
}

export const LABEL_SAMPLES: LabelSample[] = [
  // Biased logits in single precision keep about five digits.
  { family: "llama.cpp", start: startLlamaCppChat, tolerance: 2e-5 },
]
