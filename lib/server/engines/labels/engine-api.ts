import { ServiceError } from "@/lib/shared/errors"
import { badResponse, isMembers, type Members, type WirePart } from "@/questions/engine-wire"
import { type BodyReader, textReader } from "../system-one/exchange"
import { tooLong, upstreamFailure } from "../system-one/failures"
import { WireBody } from "../system-one/request-body"
import { parseJson } from "../system-one/response"
import type { Transport, WireResponse } from "../system-one/transport"
import type { BilledText } from "../token-count"
import { Unusable } from "../unusable"

const SPARE_BYTES = 65_536
/** A token id and its comma. */
const BYTES_PER_ID = 8

/** Reads a body of at most `maxBytes`. A longer list of tokens belongs to a text that is too long for the model. */
function shortReader(maxBytes: number): BodyReader<{ text: string }> {
  const { keep, result } = textReader()
  let bytes = 0
  return {
    keep(chunk) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLong()
      keep(chunk)
    },
    result,
  }
}

/** Returns the log-weight that the engine reports for a label. Throws `upstream_error` for a label that it leaves out. */
export const logOfLabel = (logWeights: ReadonlyMap<number, number>, id: number): number =>
  logWeights.get(id) ?? badResponse("a label that was asked for is missing")

/** Returns the members of a successful response. Throws the client's error for any other. */
export function membersOfReply(response: WireResponse): Members {
  if (response.status !== 200) throw upstreamFailure(response)
  const body = parseJson(response.text)
  return isMembers(body) ? body : badResponse()
}

/** Returns a list of token ids. Throws `upstream_error` for anything else. */
export function readIds(value: unknown): number[] {
  if (!Array.isArray(value) || !value.every((id) => Number.isInteger(id) && id >= 0)) badResponse()
  return value
}

export function readTexts(value: unknown, length: number): string[] {
  if (!Array.isArray(value) || value.length !== length || !value.every((text) => typeof text === "string"))
    badResponse()
  return value
}

export const numberIn = (value: unknown): number => (typeof value === "number" ? value : badResponse())

export const quoted = (text: BilledText): WirePart =>
  typeof text === "string" ? JSON.stringify(text) : { text, isQuoted: true }

/** Returns the variables of a chat template. The date is null when the template writes its own. */
export const templateVariables = (date: string | null) => ({
  enable_thinking: false,
  ...(date === null ? {} : { date_string: date }),
})

/** Returns a context length in tokens. Throws `Unusable` when the engine does not report one. */
export function contextOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
    throw new Unusable("The engine does not report its context length.")
  return value
}

/** Returns the probability of any of these tokens. */
export const massOf = (logWeights: number[]): number => logWeights.reduce((sum, log) => sum + Math.exp(log), 0)

/** Throws `upstream_error` unless at least two labels are possible: one label alone, however sure, is no distribution. */
export function requireTwo(logWeights: number[]): void {
  if (logWeights.filter(Number.isFinite).length < 2) badResponse("the engine reports fewer than two labels")
}

export const CONSTRAINED =
  "The engine restricts or biases which tokens the model may write: turn off guided decoding, grammars and logit biases for it."

/** Calls one engine's JSON routes. */
export class EngineApi {
  constructor(
    readonly transport: Transport,
    /** The length of the engine's context. */
    private readonly contextTokens: number,
  ) {}

  post(path: string, parts: WirePart[], signal: AbortSignal): Promise<WireResponse> {
    return this.transport.call("POST", path, new WireBody(parts), signal)
  }

  async send(path: string, parts: WirePart[], signal: AbortSignal): Promise<Members> {
    return membersOfReply(await this.post(path, parts, signal))
  }

  /** Sends a text for tokenization. Throws `invalid_request` when the list of its tokens exceeds the context. */
  async tokenize(path: string, parts: WirePart[], signal: AbortSignal): Promise<Members> {
    const reader = shortReader(SPARE_BYTES + BYTES_PER_ID * this.contextTokens)
    return membersOfReply(await this.transport.call("POST", path, new WireBody(parts), signal, reader))
  }
}

/** The softmax of log-weights. Throws `upstream_error` when none is possible. */
export function softmax(logWeights: number[]): number[] {
  const top = Math.max(...logWeights)
  if (!Number.isFinite(top)) throw new ServiceError("upstream_error")
  const weights = logWeights.map((log) => Math.exp(log - top))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}
