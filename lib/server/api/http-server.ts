import * as http from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { newId, publicId } from "@/lib/server/platform/ids"
import { errorBody, ServiceError, toServiceError } from "@/lib/shared/errors"
import type { InFlight } from "./in-flight"
import { noteRequest, paceReading } from "./paced-reading"
import { isIdle, throughGate } from "./pipeline-gate"
import { refuseDeclaredLength } from "./read-body"
import { sendErrorAndClose } from "./respond"
import type { Handler } from "./route"
import { TickBudget } from "./tick-budget"

const LATEST_RESPONSE = Symbol("latest response")
interface EdgeSocket extends Socket {
  /** The response to the connection's latest request. Null after a parse error. */
  [LATEST_RESPONSE]?: http.ServerResponse | null
}

interface ServerOptions {
  inFlight: InFlight
  /** Receives every well-formed request. */
  handle: Handler
  /** True when the handler sends `100 Continue` itself, because it may refuse the request before the body. */
  sendsOwnContinue(request: http.IncomingMessage): boolean
  /** How long a client may read nothing of a response that is waiting for it, in ms. */
  stallMs?: number
}

const STALL_MS = 30_000

/** Creates the HTTP server. Malformed requests are refused here, in the API's error shape. */
export function createServer({ inFlight, handle, sendsOwnContinue, stallMs = STALL_MS }: ServerOptions): http.Server {
  const ticks = new TickBudget()
  const accept: Handler = (request, response) => {
    ticks.count()
    noteRequest(request)
    const socket: EdgeSocket = request.socket
    socket[LATEST_RESPONSE] = response
    throughGate(request, response, () => {
      if (isMalformed(request)) sendErrorAndClose(request, response, malformed())
      else void handle(request, response)
    })
  }
  const server = http.createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 115_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      noDelay: true,
      // Checked in `isMalformed`: Node's own refusal has no body.
      requireHostHeader: false,
    },
    accept,
  )
  // Node drops headers beyond this number, including those that a proxy appended. The number is one above what `isMalformed`
  // accepts, so a request that lost headers is always refused.
  server.maxHeadersCount = MAX_HEADERS + 1
  // Node also emits the timeout while a response is still being prepared. The client is not the cause then, so the connection stays.
  server.setTimeout(stallMs, (socket: Socket) => {
    if (isIdle(socket) || socket.writableLength > 0) socket.destroy()
  })
  const refuse = (socket: EdgeSocket) => refuseUnparsed(new Error("Not HTTP"), socket, inFlight)
  server.on("connection", (socket: Socket) => paceReading(socket, ticks, () => refuse(socket)))
  server.on("checkContinue", (request: http.IncomingMessage, response: http.ServerResponse) => {
    try {
      refuseDeclaredLength(request)
    } catch (error) {
      return sendErrorAndClose(request, response, toServiceError(error))
    }
    if (!sendsOwnContinue(request)) response.writeContinue()
    return accept(request, response)
  })
  server.on("checkExpectation", accept)
  server.on("connect", ({ socket }) => refuse(socket))
  server.on("clientError", (error: NodeJS.ErrnoException, socket: EdgeSocket) =>
    refuseUnparsed(error, socket, inFlight),
  )
  return server
}

/** How long a client may take to read a refusal that is written onto its socket. */
const READ_MS = 2_000

/** Returns the error for a request that is not HTTP, or that an origin server does not serve (docs/decisions/0007). */
const malformed = (): ServiceError =>
  new ServiceError("invalid_request", { message: "This is not an HTTP request that the service supports." })

const MAX_HEADERS = 200

/**
 * Returns true for a request without a path, with too many headers, of another version than 1.0 and 1.1, with chunks in 1.0, or
 * without exactly one `Host`, which HTTP/1.0 may omit. Node's parser reads a request line without a version as 0.9.
 */
function isMalformed({ url, headers, rawHeaders, httpVersion }: http.IncomingMessage): boolean {
  if (!url?.startsWith("/") || rawHeaders.length > 2 * MAX_HEADERS) return true
  if (httpVersion !== "1.1" && (httpVersion !== "1.0" || headers["transfer-encoding"] !== undefined)) return true
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (/^host$/i.test(rawHeaders[i] ?? "")) hosts++
  return hosts > 1 || (hosts === 0 && httpVersion === "1.1")
}

/**
 * Responds to bytes that the HTTP parser rejected. If they belong to the body of a request, the refusal is the response to
 * that request. If they follow a complete request, the refusal is sent after its response.
 */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: EdgeSocket, inFlight: InFlight): void {
  const latest = socket[LATEST_RESPONSE]
  // The parser reports the same error again for later bytes.
  if (latest === null) return
  socket[LATEST_RESPONSE] = null
  // Browsers open connections in advance. One that sent nothing expects no response.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) return void socket.destroy()
  const refusal = parserRefusal(error)
  if (!latest || latest.writableFinished) refuseOnSocket(socket, refusal)
  else if (latest.req.complete) latest.once("finish", () => refuseOnSocket(socket, refusal))
  else {
    latest.shouldKeepAlive = false
    if (!inFlight.end(latest, refusal)) sendErrorAndClose(latest.req, latest, refusal)
  }
}

/** Maps a parser error to 504 for a timeout, 413 for a length that overflows, else 400. */
function parserRefusal(error: NodeJS.ErrnoException): ServiceError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return new ServiceError("upstream_timeout")
  const isLength = error.code === "HPE_INVALID_CONTENT_LENGTH" || error.code === "HPE_INVALID_CHUNK_SIZE"
  const reason = "reason" in error ? String(error.reason) : ""
  return isLength && reason.endsWith("overflow")
    ? new ServiceError("request_too_large", { param: "body" })
    : malformed()
}

/** Writes a refusal onto a socket that has no request to respond to, and closes it. */
function refuseOnSocket(socket: Duplex, refusal: ServiceError): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(errorBody(refusal))
  const head = [
    `HTTP/1.1 ${refusal.status} ${http.STATUS_CODES[refusal.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${publicId("req", newId())}`,
    "cache-control: no-store",
    "connection: close",
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), READ_MS).unref()
}
