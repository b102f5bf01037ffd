import { ServiceError } from "../../errors"
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
const TOO_LONG_TEXT = /context length|maximum input length|too many options|at most \d+ (?:options )?are supported/i
/** llama.cpp says so with a 500, when a prompt exceeds `--ubatch-size`. */
const TOO_LARGE_TEXT = /too large to process/i
const LONGEST_WAIT_SECONDS = 3600

interface UpstreamError {
  kinds: unknown[]
  message: string
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** llama.cpp and vLLM nest the error, SGLang has it flat or as `detail`, Ollama as a text. */
function readError(text: string): UpstreamError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { kinds: [], message: "" }
  }
  if (!isObject(body)) return { kinds: [], message: "" }
  const error = isObject(body.error) ? body.error : body
  const message = [error.message, body.error, body.detail].find((value) => typeof value === "string")
  return { kinds: [error.type, error.code, body.code], message: typeof message === "string" ? message : "" }
}

/** `Retry-After` in whole seconds, from seconds or a date; 1 when it is missing or makes no sense. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 1
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return seconds >= 1 && seconds <= LONGEST_WAIT_SECONDS ? seconds : 1
}

/** What a client sees of an engine's answer that is no 200. Nothing of its text is passed on. */
export function upstreamFailure({ status, retryAfter, text }: WireResponse): ServiceError {
  const { kinds, message } = readError(text)
  const isTooLong =
    status === 413 ||
    kinds.some((kind) => typeof kind === "string" && TOO_LONG_KINDS.includes(kind)) ||
    ((status === 400 || status === 422) && TOO_LONG_TEXT.test(message)) ||
    (status >= 400 && TOO_LARGE_TEXT.test(message))
  if (isTooLong)
    return new ServiceError("invalid_request", {
      message: "The model rejected the input: the state and a question together are probably too long. Shorten them.",
    })
  if (status === 429 || status === 529 || kinds.includes("QUEUE_FULL"))
    return new ServiceError("capacity_exceeded", { retryAfterSeconds: retryAfterSeconds(retryAfter) })
  if (status === 404 || status === 501 || status === 503) return new ServiceError("model_unavailable")
  return new ServiceError("upstream_error")
}
