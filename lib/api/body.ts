import type { IncomingMessage } from "node:http"
import { ServiceError } from "../errors"

/** The global ceiling of spec.md, "Limits": 28 MiB. */
export const MAX_BODY_BYTES = 29_360_128

const tooLarge = () => new ServiceError("request_too_large", { param: "body" })

/** Throws `request_too_large` when the declared length alone is over the limit. */
export function refuseDeclaredLength(request: IncomingMessage): void {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
}

/** True when the request carries a body whose length is not declared. */
export const isChunked = (request: IncomingMessage): boolean => request.headers["transfer-encoding"] !== undefined

function consume(request: IncomingMessage, signal: AbortSignal, keep: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    const settle = (error?: unknown) => {
      request.off("data", onData).off("end", onEnd).off("error", onEnd).off("close", onEnd)
      signal.removeEventListener("abort", onAbort)
      if (error === undefined) return resolve()
      request.pause()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) settle(tooLarge())
      else keep(chunk)
    }
    const onEnd = () => settle(request.complete ? undefined : new ServiceError("invalid_request", { param: "body" }))
    const onAbort = () => settle(signal.reason)
    if (signal.aborted) return onAbort()
    request.on("data", onData).on("end", onEnd).on("error", onEnd).on("close", onEnd)
    signal.addEventListener("abort", onAbort)
  })
}

/** The whole body, counted while it is read: over the limit it stops with `request_too_large`. */
export async function readBody(request: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  await consume(request, signal, (chunk) => chunks.push(chunk))
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** Reads the body to its end and keeps nothing: only its size matters. */
export const discardBody = (request: IncomingMessage, signal: AbortSignal): Promise<void> =>
  consume(request, signal, () => {})

/** `application/json`, parameters allowed, and no `Content-Encoding` (docs/decisions/0007). */
export function isPlainJson(request: IncomingMessage): boolean {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()
  return type === "application/json" && request.headers["content-encoding"] === undefined
}
