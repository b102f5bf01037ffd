import type { Readable } from "node:stream"
import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { upstreamFailure } from "./failures"
import { parseJson } from "./response"
import { eachPiece, Transport } from "./transport"
import { WireBody } from "./wire-body"

const CHECK_LIMIT_MS = 5_000
/** Longer lists are counted as they come: one of a state of 28 MiB would take the main thread for a second. */
const PARSED_BYTES = 262_144
const LONG_LIST_HEAD = /^\s*\{\s*"tokens"\s*:\s*\[\s*\d/
const LONG_LIST_TAIL = /\d\s*\]\s*\}\s*$/
/** SGLang tells it after the list, vLLM before; the list alone has nothing but figures. */
const COUNT = /"count"\s*:\s*(\d{1,9})\s*,/
const TAIL_BYTES = 128
const COMMA = 0x2c

/** How an engine is asked: llama.cpp for the tokens of a `content`, SGLang and vLLM for those of a `prompt`. */
export type Dialect = "content" | "prompt"

interface TokenList {
  /** The whole response, or of a long one its head. */
  text: string
  /** The last bytes of a long response and its commas; null for any other. */
  long: { tail: string; commas: number } | null
}

function commasIn(chunk: Buffer): number {
  let commas = 0
  for (let at = 0; at < chunk.length; at++) if (chunk[at] === COMMA) commas++
  return commas
}

async function readTokenList(body: Readable, most: number): Promise<TokenList> {
  const head: Buffer[] = []
  let tail: Buffer = Buffer.alloc(0)
  let [bytes, commas] = [0, 0]
  await eachPiece(body, most, (chunk) => {
    if (bytes <= PARSED_BYTES) head.push(chunk)
    bytes += chunk.length
    commas += commasIn(chunk)
    tail = chunk.length < TAIL_BYTES ? Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES) : chunk.subarray(-TAIL_BYTES)
  })
  const text = Buffer.concat(head).toString("utf8")
  return { text, long: bytes > PARSED_BYTES ? { tail: tail.toString("latin1"), commas } : null }
}

function lengthOf({ text, long }: TokenList): number {
  if (long) {
    const told = COUNT.exec(text.slice(0, TAIL_BYTES)) ?? COUNT.exec(long.tail)
    if (told && Number(told[1]) > 0) return Number(told[1])
    if (LONG_LIST_HEAD.test(text) && LONG_LIST_TAIL.test(long.tail)) return long.commas + 1
    throw new ServiceError("upstream_error")
  }
  const answer = parseJson(text)
  if (typeof answer !== "object" || answer === null || !("tokens" in answer) || !Array.isArray(answer.tokens))
    throw new ServiceError("upstream_error")
  return answer.tokens.length
}

function requestOf(text: JsonText | string, dialect: Dialect): WireBody {
  const content = typeof text === "string" ? JSON.stringify(text) : { text, isQuoted: true }
  return dialect === "content"
    ? new WireBody(['{"content":', content, ',"add_special":false,"parse_special":false}'])
    : new WireBody(['{"prompt":', content, ',"add_special_tokens":false}'])
}

/** How many tokens the engine's `POST /tokenize` makes of a text; no special tokens. */
export async function tokenLength(
  transport: Transport,
  text: JsonText | string,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<number> {
  const response = await transport.call("POST", "/tokenize", requestOf(text, dialect), signal, readTokenList)
  if (response.status !== 200) throw upstreamFailure(response)
  return lengthOf(response)
}

/** Answers to `/tokenize` that say there is no such thing; after any other the engine may still count. */
const NO_COUNTS = [400, 404, 405, 415, 422, 501]

/** How many tokens an engine makes of a text; false when it does not count so, null when it does not tell now. */
async function tokensOf(transport: Transport, text: string, dialect: Dialect, signal: AbortSignal) {
  try {
    const response = await transport.call("POST", "/tokenize", requestOf(text, dialect), signal, readTokenList)
    if (response.status !== 200) return NO_COUNTS.includes(response.status) ? false : null
    return lengthOf(response) || false
  } catch (thrown) {
    return thrown instanceof ServiceError && thrown.code === "upstream_error" ? false : null
  }
}

/** What an engine makes of a text, and how it was asked. */
export interface EngineCount {
  dialect: Dialect
  tokens: number
}

/** How an engine counts a text: false when it does not, null when it is away, loading or at capacity. */
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

/** The same of the engine at an address; null too when it does not answer within 5 s. */
export async function findCountAt(engineUrl: string, apiKey: string | null, text: string) {
  const transport = new Transport(engineUrl, apiKey)
  try {
    return await findCount(transport, text, AbortSignal.timeout(CHECK_LIMIT_MS))
  } finally {
    await transport.close()
  }
}
