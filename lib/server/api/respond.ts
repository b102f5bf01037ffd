import type { IncomingMessage, ServerResponse } from "node:http"
import type { WindowState } from "@/lib/server/limits/windows"
import { errorBody, type ServiceError } from "@/lib/shared/errors"
import { assignRequestId } from "./request-id"

/** How long a connection is read on after its answer: so much, so long without a byte, and so long in all. */
const LINGER_BYTES = 64 * 1024 * 1024
const LINGER_IDLE_MS = 2_000
const LINGER_MS = 30_000

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

/** Ends a response with a JSON text. Whatever is answered here has an `x-request-id`. */
export function sendJson(response: ServerResponse, status: number, json: string): void {
  if (response.headersSent || response.destroyed) return
  if (!response.hasHeader("x-request-id")) assignRequestId(response)
  const length = Buffer.byteLength(json)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": length,
    "cache-control": "no-store",
  })
  response.end(json)
}

function prepare(response: ServerResponse, { retryAfterSeconds }: ServiceError): void {
  if (!response.hasHeader("x-request-id")) assignRequestId(response)
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds)
}

/** Ends a response with an error of the one table, in the shape of spec.md. */
export function sendError(response: ServerResponse, error: ServiceError): void {
  if (response.headersSent || response.destroyed) return
  prepare(response, error)
  sendJson(response, error.status, JSON.stringify(errorBody(error)))
}

/**
 * Refuses a request whose body may still be coming. Where the connection stays, Node reads the rest of it away; where it
 * closes, that must wait until the client has read its answer.
 */
export function sendRefusal(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (request.complete || response.shouldKeepAlive) sendError(response, error)
  else sendErrorAndClose(request, response, error)
}

/**
 * Answers at once, before the body has been read, then reads on a little before the connection closes: a client that is
 * still sending would see a reset instead of the answer.
 */
export function sendErrorAndClose(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (response.headersSent || response.destroyed) return
  const json = JSON.stringify(errorBody(error))
  prepare(response, error)
  response.writeHead(error.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json),
    "cache-control": "no-store",
    connection: "close",
  })
  response.write(json)
  linger(request, () => response.end())
}

function linger(request: IncomingMessage, close: () => void): void {
  let bytes = 0
  const stop = () => {
    clearTimeout(idle)
    clearTimeout(total)
    request.off("data", onData).off("end", stop).off("error", stop).off("close", stop)
    close()
  }
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    idle.refresh()
    if (bytes > LINGER_BYTES) stop()
  }
  const idle = setTimeout(stop, LINGER_IDLE_MS)
  const total = setTimeout(stop, LINGER_MS)
  // A paused stream stays paused when it gets a listener.
  if (request.complete || request.destroyed || request.socket.readableEnded) stop()
  else request.on("data", onData).on("end", stop).on("error", stop).on("close", stop).resume()
}
