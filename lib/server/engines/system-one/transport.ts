import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { errors, Pool } from "undici"
import { currentTraceparent } from "@/lib/server/platform/tracing"
import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "../abort"
import { ConnectionFailure } from "../breaker"
import { OWN_ENGINE_URL } from "../own-engine-url"
import { type BodyReader, exchange, textReader } from "./exchange"
import type { WireBody } from "./request-body"

export interface WireResponse {
  status: number
  retryAfter: string | undefined
  text: string
}

const CONNECT_TIMEOUT_MS = 5_000
const SILENCE_TIMEOUT_MS = 85_000
const MAX_CONNECTIONS = 256
const SPARE_RESPONSE_BYTES = 1_048_576
/** A response can echo the request with every byte escaped, or list a token for every byte. */
const RESPONSE_BYTES_PER_BYTE = 8
/** Longer bodies are sent in pieces. Each time this many bytes are sent, other requests get a turn on this thread. */
const AT_ONCE_BYTES = 262_144

const KINDS: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  UND_ERR_SOCKET: "connection reset",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
  ETIMEDOUT: "connecting timed out",
  ENOENT: "connection refused",
}
const SILENCE = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]

function wireFailure(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return abortError(signal)
  if (thrown instanceof ServiceError) return thrown
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""
  if (SILENCE.includes(code)) {
    const cause = new ConnectionFailure("no answer in time", { cause: thrown })
    return new ServiceError("upstream_timeout", { cause })
  }
  if (thrown instanceof errors.HTTPParserError || (code.startsWith("UND_ERR_") && !KINDS[code]))
    return new ServiceError("upstream_error", { cause: thrown })
  const cause = new ConnectionFailure(KINDS[code] ?? "connection failed", { cause: thrown })
  return new ServiceError("model_unavailable", { cause })
}

/**
 * One engine's HTTP connections, kept alive. Never retries. `call` resolves for every status. It rejects with a
 * `ServiceError`, caused by a `ConnectionFailure` when no response came, or with the abort's reason.
 */
export class Transport {
  readonly #pool: Pool
  readonly #path: string
  readonly #headers: Record<string, string>
  /** For requests with a body. Undici adds the length of a body that it gets whole. */
  readonly #bodyHeaders: Record<string, string>
  /** Whether this process has no engine of its own, so that there is nowhere to connect to. */
  readonly #isMissing: boolean

  /** With `socketPath`, the engine listens on that Unix socket instead of the address. */
  constructor(baseUrl: string, apiKey: string | null, socketPath: string | null = null) {
    const { origin, pathname } = new URL(baseUrl)
    this.#path = pathname.replace(/\/+$/, "")
    this.#isMissing = origin === OWN_ENGINE_URL && socketPath === null
    this.#headers = { accept: "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
    this.#bodyHeaders = { ...this.#headers, "content-type": "application/json" }
    this.#pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...(socketPath === null ? {} : { socketPath }) },
      headersTimeout: SILENCE_TIMEOUT_MS,
      bodyTimeout: SILENCE_TIMEOUT_MS,
    })
  }

  call(method: "GET" | "POST", path: string, body: WireBody | null, signal: AbortSignal): Promise<WireResponse>
  call<Result extends { text: string }>(
    method: "GET" | "POST",
    path: string,
    body: WireBody | null,
    signal: AbortSignal,
    reader: BodyReader<Result>,
  ): Promise<WireResponse & Result>
  async call(
    method: "GET" | "POST",
    path: string,
    body: WireBody | null,
    signal: AbortSignal,
    reader: BodyReader<{ text: string }> = textReader(),
  ): Promise<WireResponse> {
    throwIfAborted(signal)
    if (this.#isMissing)
      throw new ServiceError("model_unavailable", {
        cause: new ConnectionFailure("this process does not run the model"),
      })
    const isPaced = body !== null && body.bytes > AT_ONCE_BYTES
    const request = {
      method,
      path: `${this.#path}${path}`,
      headers: this.#headersFor(body, isPaced),
      body: isPaced ? Readable.from(paced(body)) : (body?.whole() ?? null),
    }
    const maxBytes = SPARE_RESPONSE_BYTES + RESPONSE_BYTES_PER_BYTE * (body?.bytes ?? 0)
    try {
      const { status, headers, body: read } = await exchange(this.#pool, request, { signal, reader, maxBytes })
      const retryAfter = headers["retry-after"]
      return { status, retryAfter, ...read }
    } catch (thrown) {
      throw wireFailure(thrown, signal)
    }
  }

  #headersFor(body: WireBody | null, isPaced: boolean): Record<string, string> {
    const headers = body ? this.#bodyHeaders : this.#headers
    const traceparent = currentTraceparent()
    if (!isPaced && !traceparent) return headers
    return {
      ...headers,
      ...(traceparent && { traceparent }),
      ...(isPaced && { "content-length": String(body?.bytes) }),
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

async function* paced(body: WireBody): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for (const piece of body.pieces()) {
    yield piece
    bytes += piece.length
    if (bytes < AT_ONCE_BYTES) continue
    bytes = 0
    await setImmediate()
  }
}
