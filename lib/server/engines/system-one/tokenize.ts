import { ServiceError } from "@/lib/shared/errors"
import { CountQueue } from "../count-queue"
import { type BilledText, reportedTokens, textBytes } from "../token-count"
import type { CountOptions, SpecialTokens, TokenSource } from "../tokenizer/token-counter"
import type { BodyReader } from "./exchange"
import { upstreamFailure } from "./failures"
import { WireBody } from "./request-body"
import { parseJson } from "./response"
import { Transport } from "./transport"

const CHECK_LIMIT_MS = 5_000
/**
 * Longer token lists are counted while they stream: parsing the list of a 28 MiB state would block the main thread for
 * 1 s.
 */
const PARSED_BYTES = 262_144
const LONG_LIST_HEAD = /^\s*\{\s*"tokens"\s*:\s*\[\s*\d/
const LONG_LIST_TAIL = /\d\s*\]\s*\}\s*$/
/** SGLang sends the count after the list, vLLM before it. */
const COUNT = /"count"\s*:\s*(\d{1,9})\s*,/
const TAIL_BYTES = 128
const COMMA = 0x2c

/** The field that holds the text: llama.cpp's `/tokenize` takes `content`, SGLang's and vLLM's `prompt`. */
export type Dialect = "content" | "prompt"

interface TokenList {
  /** The whole response, or the beginning of a long one. */
  text: string
  /** The end of a long response and how many commas it has. Null for a short one. */
  long: { tail: string; commas: number } | null
}

function commasIn(chunk: Buffer): number {
  let commas = 0
  for (let at = 0; at < chunk.length; at++) if (chunk[at] === COMMA) commas++
  return commas
}

function tokenListReader(): BodyReader<TokenList> {
  const head: Buffer[] = []
  let tail: Buffer = Buffer.alloc(0)
  let [bytes, commas] = [0, 0]
  return {
    keep(chunk) {
      if (bytes <= PARSED_BYTES) head.push(chunk)
      bytes += chunk.length
      commas += commasIn(chunk)
      const isShort = chunk.length < TAIL_BYTES
      tail = isShort ? Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES) : chunk.subarray(-TAIL_BYTES)
    },
    result() {
      const text = Buffer.concat(head).toString("utf8")
      return { text, long: bytes > PARSED_BYTES ? { tail: tail.toString("latin1"), commas } : null }
    },
  }
}

function lengthOf({ text, long }: TokenList): number {
  if (long) {
    const reported = COUNT.exec(text.slice(0, TAIL_BYTES)) ?? COUNT.exec(long.tail)
    if (reported && Number(reported[1]) > 0) return Number(reported[1])
    if (LONG_LIST_HEAD.test(text) && LONG_LIST_TAIL.test(long.tail)) return long.commas + 1
    throw new ServiceError("upstream_error")
  }
  const answer = parseJson(text)
  if (typeof answer !== "object" || answer === null || !("tokens" in answer) || !Array.isArray(answer.tokens))
    throw new ServiceError("upstream_error")
  return answer.tokens.length
}

/** Engines with the "prompt" dialect always parse special tokens. */
function requestOf(text: BilledText, dialect: Dialect, specials: SpecialTokens = "as text"): WireBody {
  const content = typeof text === "string" ? JSON.stringify(text) : { text, isQuoted: true }
  return dialect === "content"
    ? new WireBody(['{"content":', content, `,"add_special":false,"parse_special":${specials === "as tokens"}}`])
    : new WireBody(['{"prompt":', content, ',"add_special_tokens":false}'])
}

async function tokenLength(transport: Transport, body: WireBody, signal: AbortSignal): Promise<number> {
  const response = await transport.call("POST", "/tokenize", body, signal, tokenListReader())
  if (response.status !== 200) throw upstreamFailure(response)
  return lengthOf(response)
}

/**
 * Statuses that mean that the engine has no `/tokenize` in this dialect. After any other status, it may still count.
 */
export const NO_COUNTS = [400, 404, 405, 415, 422, 501]

/**
 * Counts like `tokenLength`. Returns false when the engine does not count in this dialect, and null when that cannot be
 * determined now.
 */
async function tokensOf(transport: Transport, text: string, dialect: Dialect, signal: AbortSignal) {
  try {
    const response = await transport.call("POST", "/tokenize", requestOf(text, dialect), signal, tokenListReader())
    if (response.status !== 200) return NO_COUNTS.includes(response.status) ? false : null
    return lengthOf(response) || false
  } catch (thrown) {
    return thrown instanceof ServiceError && thrown.code === "upstream_error" ? false : null
  }
}

export interface EngineCount {
  dialect: Dialect
  tokens: number
}

/** Returns how an engine counts a text. False: it does not count. Null: it is unavailable, loading or at capacity. */
export async function findCount(
  transport: Transport,
  text: string,
  signal: AbortSignal,
): Promise<EngineCount | false | null> {
  const found: (number | false | null)[] = []
  for (const dialect of ["content", "prompt"] as const) {
    const tokens = await tokensOf(transport, text, dialect, signal)
    if (typeof tokens === "number") return { dialect, tokens }
    found.push(tokens)
  }
  return found.includes(null) ? null : false
}

/** Runs `findCount` for the engine at an address. Also returns null when the engine does not respond within 5 s. */
export async function findCountAt(engineUrl: string, apiKey: string | null, text: string) {
  const transport = new Transport(engineUrl, apiKey)
  try {
    return await findCount(transport, text, AbortSignal.timeout(CHECK_LIMIT_MS))
  } finally {
    await transport.close()
  }
}

const PARALLEL = 6
/** Known vocabularies have tokens of at most 128 bytes (runs of spaces). No text averages four times that. */
const MAX_BYTES_PER_TOKEN = 512

/** Counts with the engine's own `POST /tokenize`, a few texts concurrently. Accounts take turns. */
export class EngineTokens implements TokenSource {
  readonly #queue = new CountQueue()
  /** False after texts had more tokens than `maxTokens` returned for them. */
  #isBounded = true

  constructor(
    private readonly transport: Transport,
    private readonly dialect: Dialect,
  ) {}

  /** The first failure stops the remaining counts. */
  async count(texts: BilledText[], signal: AbortSignal, { specials, caller }: CountOptions = {}): Promise<number[]> {
    const counts: number[] = []
    const rest = [...texts.entries()].reverse()
    const worker = async () => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        const [i, text] = next
        const call = () => tokenLength(this.transport, requestOf(text, this.dialect, specials), signal)
        counts[i] = reportedTokens(text, await this.#queue.run(text, signal, call, caller))
      }
    }
    const workers = Array.from({ length: Math.min(PARALLEL, texts.length) }, worker)
    await Promise.all(workers).catch((failure) => {
      rest.length = 0
      throw failure
    })
    return counts
  }

  /**
   * llama.cpp does not normalise text: a byte becomes at most one token, plus one that may precede the text. Other
   * engines run the model's published tokenizer, whose normaliser is unknown here.
   */
  maxTokens(text: BilledText): number | null {
    return this.#isBounded && this.dialect === "content" ? textBytes(text) + 1 : null
  }

  minTokens(text: BilledText): number {
    return this.#isBounded && this.dialect === "content" ? Math.floor(textBytes(text) / MAX_BYTES_PER_TOKEN) : 0
  }

  boundExceeded(): void {
    this.#isBounded = false
  }

  async close(): Promise<void> {}
}
