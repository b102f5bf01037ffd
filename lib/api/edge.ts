import * as http from "node:http"
import type { Socket } from "node:net"
import Fastify, { type FastifyInstance } from "fastify"
import { errorBody, ServiceError, toServiceError } from "../errors"
import { newId, publicId } from "../ids"
import { runtime } from "../runtime"
import { refuseDeclaredLength } from "./body"
import { prepareForConsole } from "./console-headers"
import { InFlight } from "./in-flight"
import { openApiRoute } from "./openapi-route"
import { ROUTES, type Route } from "./public-routes"
import { assignRequestId } from "./request-id"
import { sendError, sendErrorAndClose } from "./respond"

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

export interface Edge {
  app: FastifyInstance
  server: http.Server
  inFlight: InFlight
}

const pathOf = (url: string): string => url.split("?", 1)[0] ?? url
const isOurs = (path: string, routes: Route[]): boolean =>
  path === "/v1" || path.startsWith("/v1/") || routes.some((route) => route.path === path)

/** The one HTTP server: our own routes through Fastify, everything else to `next` (null: there is no console here). */
export function createEdge(serve: "all" | "api" | "console", next: Handler | null): Edge {
  const inFlight = new InFlight()
  const all = [...ROUTES, openApiRoute(runtime().env.BASE_URL)]
  const routes = all.filter((route) => serve === "all" || route.serve === "both" || route.serve === serve)
  let server: http.Server | undefined
  const app = Fastify({
    forceCloseConnections: "idle",
    // Its 503 has a shape of its own. What still comes on an open connection is answered like any other, then that closes.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    logger: false,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack()
      answerUnrouted(request.raw, reply.raw, routes)
    },
    serverFactory: (handler) => {
      server = createServer((request, response) => {
        if (!next || isOurs(pathOf(request.url ?? "/"), routes)) return handler(request, response)
        prepareForConsole(request, response, runtime().env)
        next(request, response)
      })
      return server
    },
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    answerUnrouted(request.raw, reply.raw, routes)
  })
  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    runtime().log.error("the edge failed", { cause: error })
    assignRequestId(reply.raw)
    sendError(reply.raw, toServiceError(error))
    request.raw.resume()
  })
  for (const { path, method, handle } of routes)
    app.route({
      url: path,
      method,
      // Fastify refuses some content types with 415 before a handler runs. This hook runs first and reads the stream itself.
      onRequest: async (request, reply) => {
        reply.hijack()
        await handle(request.raw, reply.raw, inFlight)
      },
      handler: async () => {},
    })
  if (!server) throw new Error("Fastify makes its server at once")
  return { app, server, inFlight }
}

/** 404, or 405 with `Allow` where the path exists with another method. */
function answerUnrouted(request: http.IncomingMessage, response: http.ServerResponse, routes: Route[]): void {
  assignRequestId(response)
  const route = routes.find(({ path }) => path === pathOf(request.url ?? "/"))
  if (route) response.setHeader("allow", route.method)
  sendError(response, new ServiceError(route ? "method_not_allowed" : "not_found"))
  request.resume()
}

function createServer(handler: Handler): http.Server {
  const server = http.createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    handler,
  )
  server.on("checkContinue", (request: http.IncomingMessage, response: http.ServerResponse) => {
    try {
      refuseDeclaredLength(request)
    } catch (error) {
      assignRequestId(response)
      return sendErrorAndClose(request, response, toServiceError(error))
    }
    response.writeContinue()
    handler(request, response)
  })
  // Node's own 417 has neither body nor request id; an expectation that means nothing may be ignored.
  server.on("checkExpectation", handler)
  server.on("clientError", answerParserError)
  return server
}

/** What the HTTP parser refuses never becomes a request: the error shape is written onto the socket. */
function answerParserError(error: NodeJS.ErrnoException, socket: Socket | import("node:stream").Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT"
  const refusal = late
    ? new ServiceError("upstream_timeout")
    : new ServiceError("invalid_request", { message: "This is not HTTP that we understand." })
  const body = JSON.stringify(errorBody(refusal))
  const head = [
    `HTTP/1.1 ${refusal.status} ${http.STATUS_CODES[refusal.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${publicId("req", newId())}`,
    "connection: close",
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}
