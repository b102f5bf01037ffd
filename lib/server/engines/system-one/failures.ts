import { ServiceError } from "@/lib/shared/errors"
import { isObject } from "@/lib/shared/json/is-object"
import { retryAfterSeconds } from "@/lib/shared/retry-after"
import { EngineRefusal } from "../engine-refusal"
import type { WireResponse } from "./transport"

const TOO_LONG_KINDS = [
  "exceed_context_size_error",
  "exceed_batch_size_error",
  "request_too_large_error",
  "max_tokens_exceeded",
  "INPUT_TOO_LONG",
  "STATE_TRUNCATED",
  "TOO_MANY_OPTIONS",
]
const TOO_LONG_TEXT =
  /context (?:length|limit|size|window)|maximum input length|(?:prompt|input)(?: is)? too long|too many options|at most \d+ (?:options )?are supported/i
/** The message of llama.cpp's stricter variant for JSON over its nesting limit, which is lower than the service's. */
const TOO_DEEP_TEXT = /nested too deeply/i
/** llama.cpp's message, sent with a 500, for a prompt over `--ubatch-size`. */
const TOO_LARGE_TEXT = /too large to process/i

interface UpstreamError {
  kinds: unknown[]
  message: string
  members: Record<string, unknown>
}

const NO_ERROR: UpstreamError = { kinds: [], message: "", members: {} }

/**
 * Reads an error body. llama.cpp and vLLM nest it, SGLang has it flat or as `detail` (text or list), Ollama as text.
 */
function readError(text: string): UpstreamError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return NO_ERROR
  }
  if (!isObject(body)) return NO_ERROR
  const error = isObject(body.error) ? body.error : body
  const issues = Array.isArray(body.detail) ? body.detail.map((issue) => (isObject(issue) ? issue.msg : issue)) : []
  const found = [error.message, body.error, body.detail, ...issues].find((value) => typeof value === "string")
  const message = typeof found === "string" ? found : ""
  return { kinds: [error.type, error.code, body.code], message, members: error }
}

/** Returns the error's message, or the whole body when it is no error of a known shape. For the operator, about a probe. */
export const saidBy = (text: string): string => readError(text).message || text

/** The limit that a refused call exceeded. `max` is null when the engine does not state a number. */
export interface RefusedCount {
  of: "options" | "questions"
  max: number | null
}

const COUNT_REFUSED = [400, 413, 422]
const COUNTED = /\b(options?|candidates|labels?|label|questions?|fields)\b/i
const MAX = /(?:at most|maximum(?: is| of)?|up to)\s+(\d+)|\b\d+\s*[–-]\s*(\d+)\b/i
const TOO_MANY = /too many|at most|do not fit|must contain/i

/** Reads the limit on options or questions from a refusal. Null for any other refusal. */
export function refusedCount({ status, text }: WireResponse): RefusedCount | null {
  if (!COUNT_REFUSED.includes(status)) return null
  const { kinds, message } = readError(text)
  // The message may begin with the question's name, which must not be read as part of it.
  const unnamed = message
    .replace(/^.*?\bquestions\.[A-Za-z0-9_-]+[.:]/, "")
    .replace(/^question ["'][A-Za-z0-9_-]+["']:/, "")
  if (!kinds.includes("TOO_MANY_OPTIONS") && !TOO_MANY.test(unnamed)) return null
  const counted = kinds.includes("TOO_MANY_OPTIONS") ? "options" : COUNTED.exec(unnamed)?.[1]?.toLowerCase()
  if (!counted) return null
  const [, after, range] = MAX.exec(unnamed) ?? []
  const max = after ?? range
  return { of: /^(?:question|field)/.test(counted) ? "questions" : "options", max: max ? Number(max) : null }
}

/** A prompt that llama.cpp refused for its size. Fewer options make it smaller. */
export interface RefusedSize {
  /** "batch": the options of a kev choice do not fit in one batch. "context": the prompt exceeds the context. */
  of: "batch" | "context"
  /** The tokens of the prompt and of the context. Null when they are not reported. */
  tokens: number | null
  context: number | null
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null)

/** Reads which size a prompt exceeded. Null for any other refusal. */
export function refusedSize({ status, text }: WireResponse): RefusedSize | null {
  if (!COUNT_REFUSED.includes(status)) return null
  const { kinds, members } = readError(text)
  if (kinds.includes("exceed_batch_size_error")) return { of: "batch", tokens: null, context: null }
  if (!kinds.includes("exceed_context_size_error")) return null
  return { of: "context", tokens: numberOrNull(members.n_prompt_tokens), context: numberOrNull(members.n_ctx) }
}

/** The error for input that is too long for the model. The service never shortens input. */
export const tooLong = (cause?: Error): ServiceError =>
  new ServiceError("invalid_request", {
    message: "The model rejected the input: the state and a question together are probably too long. Shorten them.",
    cause,
  })

const tooDeep = (cause: Error): ServiceError =>
  new ServiceError("invalid_request", {
    message: "The model rejected the input: instructions or criteria are nested too deeply. Send them as text.",
    cause,
  })

/** Returns the known phrase that says that the input is too long: "" for a status that says it alone. Null for any other. */
function tooLongPhrase(status: number, { kinds, message }: UpstreamError): string | null {
  const kind = kinds.find((kind) => typeof kind === "string" && TOO_LONG_KINDS.includes(kind))
  if (typeof kind === "string") return kind
  const isRefusal = status === 400 || status === 422
  const phrase = (isRefusal && TOO_LONG_TEXT.exec(message)) || (status >= 400 && TOO_LARGE_TEXT.exec(message)) || null
  return phrase?.[0] ?? (status === 413 ? "" : null)
}

/**
 * Maps an engine's error response to the client's error. Its cause has the status and the known phrase that was found. The
 * engine's own text is in neither message nor log.
 */
export function upstreamFailure({ status, retryAfter, text }: WireResponse): ServiceError {
  const error = readError(text)
  const refusal = (phrase = "") => new EngineRefusal(status, phrase, () => saidBy(text))
  const long = tooLongPhrase(status, error)
  if (long !== null) return tooLong(refusal(long))
  const deep = status === 400 || status === 422 ? TOO_DEEP_TEXT.exec(error.message) : null
  if (deep) return tooDeep(refusal(deep[0]))
  const isQueueFull = error.kinds.includes("QUEUE_FULL")
  const cause = refusal(isQueueFull ? "QUEUE_FULL" : "")
  if (status === 429 || status === 529 || isQueueFull)
    return new ServiceError("capacity_exceeded", { retryAfterSeconds: retryAfterSeconds(retryAfter), cause })
  if (status === 404 || status === 501 || status === 503) return new ServiceError("model_unavailable", { cause })
  return new ServiceError(status === 504 ? "upstream_timeout" : "upstream_error", { cause })
}
