import type { IncomingMessage, ServerResponse } from "node:http"
import { freeMemory } from "@/lib/server/platform/free-memory"
import { ServiceError } from "@/lib/shared/errors"
import { CEILINGS } from "@/questions/limits"
import { type BodyReservation, FREE_BODY_BYTES } from "./body-budget"
import type { BodyTicks } from "./body-ticks"
import { codingOf, decodedBound } from "./coding/content-coding"

/** The global ceiling of spec.md, "Limits". */
export const MAX_BODY_BYTES = CEILINGS.bodyBytes

/** An incoming body, and the signal that stops reading it. */
export interface BodySource {
  request: IncomingMessage
  response: ServerResponse
  signal: AbortSignal
  /** Shared by all connections. */
  ticks: BodyTicks
}

const tooLarge = () => new ServiceError("request_too_large", { param: "body" })

/** Throws `request_too_large` when the declared length alone is over the limit. */
export function refuseDeclaredLength(request: IncomingMessage): void {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
}

export const isChunked = (request: IncomingMessage): boolean => request.headers["transfer-encoding"] !== undefined

/** Returns true when the client sends its body only after a `100 Continue`. */
const awaitsContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? "")

/** Calls `keep` with each chunk and the bytes read so far. When `keep` returns a promise, reading pauses until it settles. */
function consume(
  { request, response, signal, ticks }: BodySource,
  keep: (chunk: Buffer, bytes: number) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    const settle = (error?: unknown) => {
      request.off("data", onData).off("end", onEnd).off("error", onEnd).off("close", onEnd)
      signal.removeEventListener("abort", onAbort)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) return settle(tooLarge())
      const share = bytes > FREE_BODY_BYTES ? ticks.count(chunk.length) : undefined
      const paused = keep(chunk, bytes) ?? share
      if (!paused) return
      request.pause()
      paused.then(() => request.resume(), settle)
    }
    const onEnd = () => settle(request.complete ? undefined : new ServiceError("invalid_request", { param: "body" }))
    const onAbort = () => settle(signal.reason)
    if (signal.aborted) return onAbort()
    if (request.destroyed) return onEnd()
    if (awaitsContinue(request)) response.writeContinue()
    request.on("data", onData).on("end", onEnd).on("error", onEnd).on("close", onEnd)
    signal.addEventListener("abort", onAbort)
  })
}

/**
 * Returns the whole body in a buffer of its own, which another thread can take without a copy. Its client waits until
 * `reservation` has space for it. Throws `request_too_large` over the limit, `invalid_request` for a body that ends early,
 * `rate_limited` for one that arrives too slowly while others wait, and the signal's reason.
 */
export async function readBody(source: BodySource, reservation: BodyReservation): Promise<Buffer> {
  const isEncoded = codingOf(source.request) !== null
  if (isChunked(source.request)) return readUndeclared(source, reservation, isEncoded)
  const length = Number(source.request.headers["content-length"] ?? 0)
  if (length > FREE_BODY_BYTES) {
    const room = isEncoded ? decodedBound(length) : length
    return (await readLarge(source, reservation, length, room)).buffer
  }
  let whole: Buffer | null = null
  await consume(source, (chunk, bytes) => {
    if (bytes === chunk.length) whole = bytes === length ? chunk : Buffer.allocUnsafeSlow(length)
    if (whole !== chunk) move(chunk, whole as Buffer, bytes)
    return undefined
  })
  return whole ?? Buffer.alloc(0)
}

/** Moves a chunk into the body's buffer, which then holds `bytes` bytes. */
function move(chunk: Buffer, into: Buffer, bytes: number): void {
  chunk.copy(into, bytes - chunk.length)
  freeMemory(chunk)
}

const tooSlow = () =>
  new ServiceError("rate_limited", {
    retryAfterSeconds: 1,
    message: "The body arrived too slowly while other requests waited. Send it again, faster.",
  })

/**
 * Reads a body that may have up to `most` bytes. Reserves `room`, which an encoded body needs once it is decoded, when more than
 * `FREE_BODY_BYTES` have arrived, so that an announcement alone takes nothing. Returns a buffer, and how much of it the body fills.
 */
async function readLarge(source: BodySource, reservation: BodyReservation, most: number, room: number) {
  const slow = new AbortController()
  const signal = AbortSignal.any([source.signal, slow.signal])
  // One buffer for all chunks: a list of one-byte chunks would take hundreds of times their size.
  let buffer = Buffer.allocUnsafeSlow(FREE_BODY_BYTES)
  let length = 0
  const append = (chunk: Buffer, bytes: number) => {
    reservation.received(chunk.length)
    length = bytes
    move(chunk, buffer, length)
  }
  await consume({ ...source, signal }, (chunk, bytes) => {
    if (bytes <= buffer.length) return void append(chunk, bytes)
    return reservation
      .reserve(room, signal, () => slow.abort(tooSlow()))
      .then(() => {
        const small = buffer
        buffer = Buffer.allocUnsafeSlow(most)
        small.copy(buffer, 0, 0, length)
        append(chunk, bytes)
      })
  })
  reservation.complete()
  return { buffer, length }
}

/** Reads a body of unknown length, and releases the room that it did not need and will not need once it is decoded. */
async function readUndeclared(source: BodySource, reservation: BodyReservation, isEncoded: boolean): Promise<Buffer> {
  const { buffer, length } = await readLarge(source, reservation, MAX_BODY_BYTES, MAX_BODY_BYTES)
  const whole = Buffer.allocUnsafeSlow(length)
  buffer.copy(whole, 0, 0, length)
  freeMemory(buffer)
  // Later, a body of up to `FREE_BODY_BYTES` reserves what it decodes to.
  reservation.shrinkTo(isEncoded && length > FREE_BODY_BYTES ? decodedBound(length) : length)
  return whole
}

/** Reads the body to its end without keeping it, to find out its size. */
export const discardBody = (source: BodySource): Promise<void> => consume(source, () => undefined)
