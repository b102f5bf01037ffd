import type * as http from "node:http"
import Fastify, { type FastifyInstance } from "fastify"
import { isOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import type { BodyBudget } from "./body-budget"
import { prepareForConsole, setCommonHeaders } from "./console-headers"
import { createServer, type Handler, refuseUnparsed } from "./http-server"
import { type Deadlines, InFlight } from "./in-flight"
import { openApiRoute } from "./openapi-route"
import { ROUTES, type Route } from "./public-routes"
import { recordEnd } from "./record-end"
import { sendRefusal } from "./respond"

export interface EdgeOptions {
  deadlines?: Deadlines
  bodies?: BodyBudget
}

export interface Edge {
  app: FastifyInstance
  server: http.Server
  inFlight: InFlight
}

const KNOWN_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "POST"])

const pathOf = (url: string): string => url.split("?", 1)[0] ?? url
const isOurs = (path: string, routes: Route[]): boolean =>
  path === "/v1" || path.startsWith("/v1/") || routes.some((route) => route.path === path)

/** The one HTTP server: our own routes through Fastify, everything else to `next` (null: there is no console here). */
export function createEdge(
  serve: "all" | "api" | "console",
  next: Handler | null,
  { deadlines, bodies }: EdgeOptions = {},
): Edge {
  const inFlight = new InFlight(deadlines, bodies)
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
      const isOwn = ({ url = "/" }: http.IncomingMessage) => !next || isOurs(pathOf(url), routes)
      const own: Handler = (request, response) => {
        inFlight.limit(response)
        setCommonHeaders(response, runtime().env)
        // Fastify fails on methods that Node knows and it does not.
        if (KNOWN_METHODS.has(request.method)) return handler(request, response)
        return answerUnrouted(request, response, routes)
      }
      server = createServer(isOwn, (request, response) =>
        !next || isOwn(request) ? own(request, response) : answerByConsole(request, response, next),
      )
      return server
    },
    clientErrorHandler: (error, socket) => refuseUnparsed(error, socket, inFlight),
  })
  addRoutes(app, routes, inFlight)
  if (!server) throw new Error("Fastify makes its server at once")
  return { app, server, inFlight }
}

function addRoutes(app: FastifyInstance, routes: Route[], inFlight: InFlight): void {
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    answerUnrouted(request.raw, reply.raw, routes)
  })
  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    fail(request.raw, reply.raw, error)
  })
  for (const { path, method, handle } of routes)
    app.route({
      url: path,
      method,
      // Fastify refuses some content types with 415 before a handler runs. This hook runs first and reads the stream itself.
      onRequest: async (request, reply) => {
        reply.hijack()
        await guarded(request.raw, reply.raw, () => handle(request.raw, reply.raw, inFlight))
      },
      handler: async () => {},
    })
}

const READS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"])
/** Not a browser's doors: who knocks there proves itself otherwise. */
const SIGNED: ReadonlySet<string> = new Set(["/api/stripe/webhook"])

/** Only our own pages change anything here. Next lets an action without an `Origin` run, and compares hosts alone. */
function refuseForeign({ method, url = "/", headers }: http.IncomingMessage, consoleUrl: string): void {
  if (READS.has(method) || SIGNED.has(pathOf(url)) || isOwnOrigin(headers.origin, consoleUrl)) return
  throw new ServiceError("forbidden", { message: `This was not sent from a page of the console at ${consoleUrl}.` })
}

const answerByConsole = (request: http.IncomingMessage, response: http.ServerResponse, next: Handler): Promise<void> =>
  guarded(request, response, () => {
    const { env } = runtime()
    prepareForConsole(request, response, env)
    refuseForeign(request, env.CONSOLE_URL)
    return next(request, response)
  })

/** Runs a handler. What it throws ends its own request; the process and the other requests go on. */
async function guarded(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  handle: () => void | Promise<void>,
): Promise<void> {
  try {
    await handle()
  } catch (thrown) {
    fail(request, response, thrown)
  }
}

function fail(request: http.IncomingMessage, response: http.ServerResponse, thrown: unknown): void {
  if (response.headersSent) response.destroy()
  else sendRefusal(request, response, toServiceError(thrown))
  const { status, code } = toServiceError(thrown)
  record(request, response, { status, code, cause: thrown })
}

/** 404, or 405 with `Allow` where the path exists with another method. */
function answerUnrouted(request: http.IncomingMessage, response: http.ServerResponse, routes: Route[]): void {
  const route = routes.find(({ path }) => path === pathOf(request.url ?? "/"))
  if (route) response.setHeader("allow", route.method)
  const refusal = new ServiceError(route ? "method_not_allowed" : "not_found")
  sendRefusal(request, response, refusal)
  record(request, response, refusal)
}

/** A request that no handler recorded. */
function record(
  { method }: http.IncomingMessage,
  response: http.ServerResponse,
  { status, code, cause }: { status: number; code: string; cause?: unknown },
): void {
  recordEnd({ requestId: String(response.getHeader("x-request-id")), method, status, code, cause })
}
