import type { IncomingMessage, ServerResponse } from "node:http"
import { errorBody, type ServiceError } from "../errors"
import type { WindowState } from "../limits/windows"

const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 2_000

/** The `x-ratelimit-*` headers of spec.md, "Rate limits". */
export function setRateHeaders(response: ServerResponse, window: WindowState): void {
  response.setHeader("x-ratelimit-limit", window.limit)
  response.setHeader("x-ratelimit-remaining", window.remaining)
  response.setHeader("x-ratelimit-used", window.used)
  response.setHeader("x-ratelimit-reset", window.resetSeconds)
}

/** Takes them away again: a 401 carries none, also when the key was refused only at its hold. */
export function removeRateHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (name.startsWith("x-ratelimit-")) response.removeHeader(name)
}

/** Ends a response with a JSON text. */
export function sendJson(response: ServerResponse, status: number, json: string): void {
  if (response.headersSent || response.destroyed) return
  const length = Buffer.byteLength(json)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": length,
    "cache-control": "no-store",
  })
  response.end(json)
}

/** Ends a response with an error of the one table, in the shape of spec.md. */
export function sendError(response: ServerResponse, error: ServiceError): void {
  if (response.headersSent || response.destroyed) return
  if (error.retryAfterSeconds !== undefined) response.setHeader("retry-after", error.retryAfterSeconds)
  sendJson(response, error.status, JSON.stringify(errorBody(error)))
}

/**
 * Answers before the body has been read, at once, then reads on a little before the connection closes: a client that is still sending would see a reset
 * instead of the answer.
 */
export function sendErrorAndClose(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (response.headersSent || response.destroyed) return
  const json = JSON.stringify(errorBody(error))
  response.writeHead(error.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json),
    connection: "close",
  })
  response.write(json)
  let drained = 0
  const stop = () => {
    clearTimeout(timer)
    request.off("data", onData).off("end", stop).off("error", stop).off("close", stop)
    response.end()
  }
  const onData = (chunk: Buffer) => {
    drained += chunk.length
    if (drained > DRAIN_BYTES) stop()
  }
  const timer = setTimeout(stop, DRAIN_MS)
  request.on("data", onData).on("end", stop).on("error", stop).on("close", stop)
  if (request.complete) stop()
}
