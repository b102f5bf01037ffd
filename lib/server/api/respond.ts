import type { IncomingMessage, ServerResponse } from "node:http"
import type { WindowState } from "@/lib/server/limits/windows"
import type { Env } from "@/lib/server/platform/env"
import { newId, publicId } from "@/lib/server/platform/ids"
import { errorBody, type ServiceError } from "@/lib/shared/errors"

/** Bounds of reading a request's body after an early response: bytes, ms without a byte, and ms in total. */
const LINGER_BYTES = 64 * 1024 * 1024
const LINGER_IDLE_MS = 2_000
const LINGER_MS = 30_000

/** Sets the headers that every response of the API and the console has. */
export function setCommonHeaders(response: ServerResponse, env: Pick<Env, "isSecure" | "HSTS_SUBDOMAINS">): void {
  response.setHeader("x-content-type-options", "nosniff")
  if (!env.isSecure) return
  const others = env.HSTS_SUBDOMAINS === "1" ? "; includeSubDomains" : ""
  response.setHeader("strict-transport-security", `max-age=31536000${others}`)
}

/** Sets a new `x-request-id` and returns the UUID behind it. */
export function assignRequestId(response: ServerResponse): string {
  const id = newId()
  response.setHeader("x-request-id", publicId("req", id))
  return id
}

/** Sets the `x-ratelimit-*` headers of spec.md, "Rate limits". */
export function setRateHeaders(response: ServerResponse, window: WindowState): void {
  response.setHeader("x-ratelimit-limit", window.limit)
  response.setHeader("x-ratelimit-remaining", window.remaining)
  response.setHeader("x-ratelimit-used", window.used)
  response.setHeader("x-ratelimit-reset", window.resetSeconds)
}

export function removeRateHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (name.startsWith("x-ratelimit-")) response.removeHeader(name)
}

/** Sends a JSON text with its `x-request-id`. Does nothing when a response has begun or the client has left. */
export const sendJson = (response: ServerResponse, status: number, json: string): void =>
  sendText(response, status, JSON_TYPE, json)

/** Sends a text of any type, as `sendJson` does. */
export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  if (response.headersSent || response.destroyed) return
  writeHead(response, status, text, { "content-type": type })
  response.end(text)
}

const JSON_TYPE = "application/json"

/** Keeps a browser from running or framing a response that is read as a page. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"

function writeHead(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) {
  if (!response.hasHeader("x-request-id")) assignRequestId(response)
  response.writeHead(status, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "content-security-policy": NOTHING_RUNS,
    ...headers,
  })
}

/** The error forms of responses in a dialect. */
const ERROR_FORMS = new WeakMap<ServerResponse, (error: ServiceError) => object>()

/** Sets the form of a response's error, if it becomes one. */
export const setErrorForm = (response: ServerResponse, form: (error: ServiceError) => object): void =>
  void ERROR_FORMS.set(response, form)

/** Returns the body of an error in the response's form. */
const errorText = (response: ServerResponse, error: ServiceError): string =>
  JSON.stringify((ERROR_FORMS.get(response) ?? errorBody)(error))

/** Sends an error in the shape of spec.md, "Errors". In a dialect, its form adds to that. */
export function sendError(response: ServerResponse, error: ServiceError): void {
  if (response.headersSent || response.destroyed) return
  setRetryAfter(response, error)
  sendJson(response, error.status, errorText(response, error))
}

function setRetryAfter(response: ServerResponse, { status, retryAfterSeconds, retryAfterMs }: ServiceError): void {
  if (retryAfterSeconds === undefined) return
  response.setHeader("retry-after", retryAfterSeconds)
  if (status === 429) response.setHeader("retry-after-ms", retryAfterMs ?? spreadMs(retryAfterSeconds))
}

/** Returns a delay of these seconds and up to one more, so that requests that were refused together are not retried together. */
const spreadMs = (seconds: number): number => Math.round(1000 * (seconds + Math.random()))

/**
 * Refuses a request whose body may still be arriving. On a connection that is kept alive, Node discards the rest. Otherwise
 * the connection is closed as `sendErrorAndClose` does.
 */
export function sendRefusal(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (request.complete || response.shouldKeepAlive) sendError(response, error)
  else sendErrorAndClose(request, response, error)
}

/**
 * Responds before the body has been read, then reads on for a while before the connection closes. Without that, a client
 * that is still sending would see a reset instead of the response.
 */
export function sendErrorAndClose(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (writeLast(response, error)) linger(request, () => response.end())
}

/** Writes an error on a connection that will close. Returns false when a response has begun or the client has left. */
function writeLast(response: ServerResponse, error: ServiceError): boolean {
  if (response.headersSent || response.destroyed) return false
  const json = errorText(response, error)
  setRetryAfter(response, error)
  writeHead(response, error.status, json, { connection: "close" })
  response.write(json)
  return true
}

/** How long a client whose body is not read has to receive its response, in ms. */
const UNREAD_MS = 1_000

/**
 * Refuses a request without reading its body, so that the body costs nothing, and closes the connection after a second. For
 * clients that may be attackers: one that reads no response before its body is sent sees a reset.
 */
export function sendErrorUnread(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (!writeLast(response, error)) return
  request.pause()
  const close = setTimeout(() => response.end(() => response.destroy()), UNREAD_MS)
  response.once("close", () => clearTimeout(close))
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
  // `resume` is needed because a listener does not restart a paused stream.
  if (request.complete || request.destroyed || request.socket.readableEnded) stop()
  else request.on("data", onData).on("end", stop).on("error", stop).on("close", stop).resume()
}
