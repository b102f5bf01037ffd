import * as http from "node:http"
import type { Socket } from "node:net"
import { toServiceError } from "@/lib/shared/errors"
import { refuseDeclaredLength } from "./body"
import type { InFlight } from "./in-flight"
import { isMalformed, malformed, parserRefusal, refuseOnSocket } from "./malformed"
import { sendErrorAndClose } from "./respond"

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void | Promise<void>

/** The response that a socket's latest request waits for or got. */
const LATEST = Symbol("latest response")
interface EdgeSocket extends Socket {
  [LATEST]?: http.ServerResponse | null
}

/**
 * The HTTP server itself: `handler` gets what is well-formed. A request of our own is not told to go on with its body:
 * the route asks for it, or refuses.
 */
export function createServer(isOwn: (request: http.IncomingMessage) => boolean, handler: Handler): http.Server {
  const accept: Handler = (request, response) => {
    const socket: EdgeSocket = request.socket
    socket[LATEST] = response
    if (isMalformed(request)) return sendErrorAndClose(request, response, malformed())
    return handler(request, response)
  }
  const server = http.createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 115_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    accept,
  )
  server.on("checkContinue", (request: http.IncomingMessage, response: http.ServerResponse) => {
    try {
      refuseDeclaredLength(request)
    } catch (error) {
      return sendErrorAndClose(request, response, toServiceError(error))
    }
    if (!isOwn(request)) response.writeContinue()
    return accept(request, response)
  })
  server.on("checkExpectation", accept)
  server.on("connect", (_request, socket) => refuseOnSocket(socket, malformed()))
  return server
}

/**
 * What the HTTP parser refuses. It may be the body of a request that is being answered, or what follows one: then the
 * refusal is that request's answer, or waits for its turn.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: EdgeSocket, inFlight: InFlight): void {
  const latest = socket[LATEST]
  // The parser complains of every further byte too.
  if (latest === null) return
  socket[LATEST] = null
  // One that never said anything is no request that waits for an answer: browsers open some in advance.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) return void socket.destroy()
  const refusal = parserRefusal(error)
  if (!latest || latest.writableFinished) refuseOnSocket(socket, refusal)
  else if (latest.req.complete) latest.once("finish", () => refuseOnSocket(socket, refusal))
  else {
    latest.shouldKeepAlive = false
    if (!inFlight.end(latest, refusal)) sendErrorAndClose(latest.req, latest, refusal)
  }
}
