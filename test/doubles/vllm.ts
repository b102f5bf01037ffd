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

export interface VllmSettings extends ToySettings {
  servedName: string
  version: string
  /** The path of the weights. */
  root: string
  maxModelLen: number
  /** `--max-logprobs`. */
  maxLogprobs: number
  /** Whether `--max-logprobs` also bounds `logprob_token_ids`. */
  boundsIds: boolean
  /** False: a version before July 2026, which ignores `logprob_token_ids` without an error. */
  honoursIds: boolean
  logprobsMode: "raw_logprobs" | "processed_logprobs" | "raw_logits"
  /** Reads only the last tokens of a prompt, at most this many. Null: refuses a prompt that does not fit in `maxModelLen`. */
  cutsAt: number | null
  /** What `enable_thinking` does: "none" ignores it. */
  thinking: "none" | "switchable" | "always"
}

export type VllmDouble = LabelDouble<VllmSettings>

const MAX_IDS = 128
const TINY = -9_999
const invalid = (message: string) => new Refusal(400, "BadRequestError", message)

function checkModel({ servedName }: VllmSettings, model: unknown): void {
  if (model !== undefined && model !== servedName)
    throw new Refusal(404, "NotFoundError", `The model \`${model}\` does not exist.`)
}

function tokenize(settings: VllmSettings, body: Record<string, unknown>): unknown {
  checkModel(settings, body.model)
  const { maxModelLen, template, thinking } = settings
  let text = body.prompt
  if (Array.isArray(body.messages)) {
    const kwargs = isObject(body.chat_template_kwargs) ? body.chat_template_kwargs : {}
    const isOff = thinking === "switchable" && kwargs.enable_thinking === false
    const thought = thinking === "none" ? "" : isOff ? "<think>\n\n</think>\n\n" : "<think>\n"
    const answerPrefix = template.answerPrefix + thought
    text = toyChat(body.messages as Message[], { ...template, answerPrefix }, kwargs)
    if (text === null) throw invalid("System role not supported")
  }
  if (typeof text !== "string") throw invalid("prompt: Field required")
  const tokens = toyIds(text, true)
  const names = body.return_token_strs === true ? { token_strs: tokens.map(toyName) } : {}
  return { count: tokens.length, max_model_len: maxModelLen, tokens, ...names }
}

/** Returns the value that the server reports for each token, and the id of the token that it writes. */
function distribution(settings: VllmSettings, prompt: number[], temperature: number) {
  const { habits, logprobsMode, guidedTo } = settings
  const logits = toyLogits(prompt, habits)
  if (logprobsMode === "raw_logits") return { reported: logits, written: toyRanking(logits)[0] ?? 0 }
  const allowed = guidedTo === null ? null : new Set(guidedTo.flatMap((text) => toyIds(text, true)))
  const masked = new Map([...logits].filter(([id]) => allowed?.has(id) ?? true))
  const isProcessed = logprobsMode === "processed_logprobs"
  const reported = isProcessed ? toyLogprobs(masked, temperature) : toyLogprobs(logits)
  return { reported, written: toyRanking(toyLogprobs(masked))[0] ?? 0 }
}

function requestedIds({ honoursIds, maxLogprobs, boundsIds }: VllmSettings, body: Record<string, unknown>) {
  const { logprob_token_ids: ids, logprobs } = body
  if (ids === undefined || !honoursIds) {
    if (Number(logprobs) > maxLogprobs)
      throw invalid(`Requested sample logprobs of ${logprobs}, which is greater than max allowed: ${maxLogprobs}`)
    return null
  }
  if (!isIds(ids)) throw invalid("logprob_token_ids: Input should be a valid list")
  if (logprobs === undefined) throw invalid("when using `logprob_token_ids`, `logprobs` must be set.")
  const max = boundsIds ? Math.min(MAX_IDS, maxLogprobs) : MAX_IDS
  if (ids.length > max)
    throw invalid(`Requested logprob_token_ids of length ${ids.length}, which is greater than max allowed: ${max}`)
  return ids
}

function complete(double: VllmDouble, body: Record<string, unknown>): unknown {
  const { settings } = double
  checkModel(settings, body.model)
  const { maxModelLen, cutsAt, servedName } = settings
  if (!isIds(body.prompt)) throw invalid("prompt: this double takes token ids")
  if (cutsAt === null && body.prompt.length >= maxModelLen)
    throw invalid(
      `This model's maximum context length is ${maxModelLen} tokens. However, your request has ${body.prompt.length} input tokens.`,
    )
  const prompt = cutsAt === null ? body.prompt : body.prompt.slice(-cutsAt)
  const ids = requestedIds(settings, body)
  const { reported, written } = distribution(settings, prompt, Number(body.temperature))
  const salted = [String(body.cache_salt ?? ""), ...prompt.map(String)]
  double.prompts.begin(salted)
  double.begun = salted
  const listed = new Set([written, ...(ids ?? toyRanking(reported).slice(0, Number(body.logprobs)))])
  const top = [...listed].map((id) => [`token_id:${id}`, Math.max(reported.get(id) ?? TINY, TINY)])
  return {
    id: "cmpl-1",
    object: "text_completion",
    model: servedName,
    choices: [
      {
        index: 0,
        text: toyText([written]),
        finish_reason: "length",
        logprobs: {
          tokens: [`token_id:${written}`],
          token_logprobs: [Math.max(reported.get(written) ?? TINY, TINY)],
          top_logprobs: [Object.fromEntries(top)],
          text_offset: [0],
        },
      },
    ],
    usage: { prompt_tokens: prompt.length, completion_tokens: 1, total_tokens: prompt.length + 1 },
  }
}

const vllm: LabelFamily<VllmSettings> = {
  generates: "/v1/completions",
  route(double, method, path, body) {
    const { servedName, version, root, maxModelLen } = double.settings
    if (method === "GET" && path === "/health") return ""
    if (method === "GET" && path === "/version") return { version }
    if (method === "GET" && path === "/v1/models")
      return {
        object: "list",
        data: [{ id: servedName, object: "model", owned_by: "vllm", root, max_model_len: maxModelLen }],
      }
    if (method === "POST" && path === "/tokenize") return tokenize(double.settings, body)
    if (method === "POST" && path === "/detokenize" && isIds(body.tokens)) return { prompt: toyText(body.tokens) }
    if (method === "POST" && path === "/v1/completions") return complete(double, body)
    throw new Refusal(404, "NotFoundError", "Not Found")
  },
  errorOf: ({ status, kind, message }) => ({ error: { message, type: kind, param: null, code: status } }),
}

/**
 * Starts a double of vLLM with an ordinary chat model. It follows the protocol and checks of July 2026
 * (`vllm/entrypoints/openai/completion`, `vllm/sampling_params.py`).
 */
export function startVllm({
  port = 0,
  ...settings
}: Partial<VllmSettings> & { port?: number } = {}): Promise<VllmDouble> {
  const standard: VllmSettings = {
    ...TOY_SETTINGS,
    servedName: "qwen-toy",
    version: "0.26.0",
    root: "org/qwen-toy",
    maxModelLen: 32_768,
    maxLogprobs: 20,
    boundsIds: false,
    honoursIds: true,
    logprobsMode: "raw_logprobs",
    cutsAt: null,
    thinking: "none",
  }
  return startLabelDouble(vllm, { ...standard, ...settings }, port)
}

export const LABEL_SAMPLES: LabelSample[] = [{ family: "vLLM", start: startVllm, tolerance: 1e-12 }]
