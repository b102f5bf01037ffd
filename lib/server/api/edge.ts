import { once } from "node:events"
import type * as http from "node:http"
import { clientAddress } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import type { BodyBudget } from "./body-budget"
import { refuseAnonymousAction, refuseLargeBody } from "./console-actions"
import { openOutbox, pathOf, prepareForConsole, refuseDotSegments, refuseForeignOrigin } from "./console-request"
import { createServer } from "./http-server"
import { type Deadlines, InFlight } from "./in-flight"
import { publicRoutes } from "./public-routes"
import { recordEnd } from "./request-record"
import { sendRefusal, setCommonHeaders } from "./respond"
import type { Handler, Route } from "./route"

/** After `close()`, requests may finish for this long. Then they get 503 and their holds are released. */
const FINISH_MS = 25_000
/** After this long, connections that are still open are destroyed. */
const CUT_MS = 28_000

export interface EdgeOptions {
  deadlines?: Deadlines
  bodies?: BodyBudget
}

export interface Edge {
  server: http.Server
  inFlight: InFlight
  /** Resolves once the server accepts connections. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { port: number; host: string }): Promise<void>
  /** Stops accepting connections, lets open requests finish, and resolves when every connection is closed. */
  close(): Promise<void>
}

/** Creates the server. It answers the public routes and passes other paths to `next`, or returns 404 for them if `next` is null. */
export function createEdge(
  serve: "all" | "api" | "console",
  next: Handler | null,
  { deadlines, bodies }: EdgeOptions = {},
): Edge {
  const inFlight = new InFlight(deadlines, bodies)
  const routes = new Map(
    publicRoutes(runtime().env.BASE_URL)
      .filter((route) => serve === "all" || route.serve === "both" || route.serve === serve)
      .map((route) => [route.path, route]),
  )
  const isForConsole = (path: string): boolean =>
    next !== null && path !== "/v1" && !path.startsWith("/v1/") && !routes.has(path)

  const server = createServer({
    inFlight,
    sendsOwnContinue: (request) => !isForConsole(pathOf(request)),
    handle: (request, response) => {
      // A connection that is open when the server stops is closed after its next response.
      if (!server.listening) response.setHeader("connection", "close")
      return next && isForConsole(pathOf(request))
        ? answerByConsole(request, response, next, inFlight)
        : answerByRoute(request, response, routes, inFlight)
    },
  })
  return {
    server,
    inFlight,
    listen: async (address) => {
      server.listen(address)
      await once(server, "listening")
    },
    close: () => close(server, inFlight),
  }
}

async function close(server: http.Server, inFlight: InFlight): Promise<void> {
  const abort = setTimeout(() => inFlight.abortAll(), FINISH_MS)
  const cut = setTimeout(() => server.closeAllConnections(), CUT_MS)
  // Node closes the connections that are idle now. Busy ones become idle after their response, and stay open.
  const tidy = setInterval(() => server.closeIdleConnections(), 100)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(abort)
  clearTimeout(cut)
  clearInterval(tidy)
}

function answerByRoute(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  routes: ReadonlyMap<string, Route>,
  inFlight: InFlight,
): void | Promise<void> {
  inFlight.limit(response)
  setCommonHeaders(response, runtime().env)
  const route = routes.get(decodedPathOf(request) ?? "")
  return guarded(request, response, () => {
    if (!route?.isProbe) clientAddress(request, runtime().env.TRUSTED_PROXY_HOPS)
    if (!route) throw new ServiceError("not_found")
    if (request.method !== route.method) {
      response.setHeader("allow", route.method)
      throw new ServiceError("method_not_allowed")
    }
    return route.handle(request, response, inFlight)
  })
}

function answerByConsole(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  next: Handler,
  inFlight: InFlight,
): Promise<void> {
  const { env } = runtime()
  inFlight.limitUpload(request)
  setCommonHeaders(response, env)
  return guarded(request, response, () => {
    refuseDotSegments(request)
    if (openOutbox(request, response, env)) return
    prepareForConsole(request, response, env)
    refuseForeignOrigin(request, env.CONSOLE_URL)
    refuseLargeBody(request)
    if (refuseAnonymousAction(request, response, env)) return
    return next(request, response)
  })
}

/** Returns the path without query and fragment, percent-decoded. Returns null when the encoding is not valid. */
function decodedPathOf({ url = "/" }: http.IncomingMessage): string | null {
  const path = url.split(/[?#]/, 1)[0] ?? url
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}

/** Runs a handler. An error that it throws fails this request only. */
async function guarded(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  handle: () => void | Promise<void>,
): Promise<void> {
  try {
    await handle()
  } catch (thrown) {
    refuse(request, response, toServiceError(thrown))
  }
}

/** Sends an error that no route recorded, and records it. Cuts the connection when a response has already begun. */
function refuse(request: http.IncomingMessage, response: http.ServerResponse, error: ServiceError): void {
  if (response.headersSent) response.destroy()
  else sendRefusal(request, response, error)
  const requestId = String(response.getHeader("x-request-id"))
  recordEnd({ requestId, method: request.method, status: error.status, code: error.code, cause: error.cause })
}
