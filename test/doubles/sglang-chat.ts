import { isObject, Refusal } from "./decision-model"
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

export interface SglangChatSettings extends ToySettings {
  servedName: string
  version: string
  modelPath: string
  contextTokens: number
  /** False: a version whose `/tokenize` takes only texts. */
  tokenizesMessages: boolean
}

export type SglangChatDouble = LabelDouble<SglangChatSettings>

function tokenize({ tokenizesMessages, template }: SglangChatSettings, body: Record<string, unknown>) {
  const { prompt, messages, chat_template_kwargs: variables } = body
  if (Array.isArray(prompt)) {
    const tokens = prompt.map((text) => toyIds(String(text), true))
    return { tokens, count: tokens.map(({ length }) => length), max_model_len: 1e30 }
  }
  const isChat = tokenizesMessages && Array.isArray(messages)
  const text = isChat ? toyChat(messages as Message[], template, variables) : prompt
  if (typeof text !== "string") throw new Refusal(422, "detail", "Field required")
  const tokens = toyIds(text, true)
  return { tokens, count: tokens.length, max_model_len: 1e30 }
}

function detokenize({ tokens, skip_special_tokens: skips }: Record<string, unknown>): unknown {
  if (skips !== false || !Array.isArray(tokens)) throw new Refusal(422, "detail", "this double shows special tokens")
  return { text: isIds(tokens) ? toyText(tokens) : (tokens as number[][]).map(toyText) }
}

function generate({ settings }: SglangChatDouble, body: Record<string, unknown>): unknown {
  const { contextTokens, habits, guidedTo } = settings
  const { input_ids: prompt, token_ids_logprob: asked, sampling_params: sampling } = body
  if (!isIds(prompt) || !isIds(asked) || body.return_logprob !== true || !isObject(sampling))
    throw new Refusal(422, "detail", "Field required")
  if (prompt.length >= contextTokens)
    throw new Refusal(
      400,
      "BadRequestError",
      `The input (${prompt.length} tokens) is longer than the model's context length (${contextTokens} tokens).`,
    )
  const logprobs = toyLogprobs(toyLogits(prompt, habits))
  const allowed = guidedTo === null ? null : new Set(guidedTo.flatMap((text) => toyIds(text, true)))
  const written = toyRanking(logprobs).find((id) => allowed?.has(id) ?? true) ?? 0
  // Not in the order asked: callers match by id.
  const listed = asked.toSorted((a, b) => a - b).map((id) => [logprobs.get(id) ?? null, id, null])
  return {
    text: toyName(written),
    meta_info: {
      prompt_tokens: prompt.length,
      completion_tokens: 1,
      output_token_logprobs: [[logprobs.get(written) ?? null, written, null]],
      output_token_ids_logprobs: [listed],
    },
  }
}

const sglang: LabelFamily<SglangChatSettings> = {
  generates: "/generate",
  route(double, method, path, body) {
    const { servedName, modelPath, version, contextTokens } = double.settings
    if (method === "GET" && path === "/health") return ""
    if (method === "GET" && path === "/get_model_info") return { model_path: modelPath, is_generation: true }
    if (method === "GET" && path === "/get_server_info") return { version }
    if (method === "GET" && path === "/v1/models")
      return {
        object: "list",
        data: [{ id: servedName, owned_by: "sglang", root: modelPath, max_model_len: contextTokens }],
      }
    if (method === "POST" && path === "/tokenize") return tokenize(double.settings, body)
    if (method === "POST" && path === "/detokenize") return detokenize(body)
    if (method === "POST" && path === "/generate") return generate(double, body)
    throw new Refusal(404, "detail", "Not Found")
  },
  errorOf: ({ kind, message }) => (kind === "detail" ? { detail: message } : { error: { message } }),
}

/** Starts a double of SGLang with an ordinary chat model, modelled on its protocol and handlers. */
export function startSglangChat({
  port = 0,
  ...settings
}: Partial<SglangChatSettings> & { port?: number } = {}): Promise<SglangChatDouble> {
  const standard: SglangChatSettings = {
    ...TOY_SETTINGS,
    servedName: "qwen-toy",
    version: "0.6.0",
    modelPath: "org/qwen-toy",
    contextTokens: 32_768,
    tokenizesMessages: true,
  }
  return startLabelDouble(sglang, { ...standard, ...settings }, port)
}

export const LABEL_SAMPLES: LabelSample[] = [{ family: "SGLang", start: startSglangChat, tolerance: 1e-12 }]
