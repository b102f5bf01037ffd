import { once } from "node:events"
import type * as http from "node:http"
import type { Socket } from "node:net"
import { dialectAt, isOfApi } from "@/lib/server/dialects/dialects"
import { clientAddress, clientBlock } from "@/lib/server/platform/client-address"
import { networksOf } from "@/lib/server/platform/client-networks"
import { runtime } from "@/lib/server/platform/runtime"
import { traceIdOf } from "@/lib/server/platform/traceparent"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import type { OwnsAction } from "./action-map"
import type { BodyBudget } from "./body-budget"
import { refuseForeignAction } from "./check-action"
import { ClientSlots, Place } from "./client-slots"
import { hasLargeBody, refuseAnonymousAction, refuseLargeBody } from "./console-actions"
import { refuseMissingFile } from "./console-files"
import {
  isStatic,
  openOutbox,
  pathOf,
  prepareForConsole,
  refuseDotSegments,
  refuseForeignOrigin,
} from "./console-request"
import { sendConsoleUnavailable } from "./console-unavailable"
import { findNearestRoute, findRoute, notFound, type Routes } from "./find-route"
import { createServer } from "./http-server"
import { type Deadlines, InFlight } from "./in-flight"
import { isLogged } from "./log-refusal"
import { publicRoutes } from "./public-routes"
import { markRecorded, recordConsole, recordEnd } from "./request-record"
import { sendErrorUnread, sendRefusal, setCommonHeaders, setErrorForm } from "./respond"
import type { ConsoleHandler } from "./route"

/** After `close()`, requests may finish for this long. Then they get 503 and their holds are released. */
const FINISH_MS = 25_000
/** A connection that sent nothing for this long after it opened is closed at once. The request on a newer one may be under way. */
const SILENT_MS = 1_000
/** After this long, connections that are still open are destroyed. */
const CUT_MS = 28_000

/** A console response may take this long, such as an export that its client reads slowly. */
const CONSOLE_MS = 300_000
/** How many connections may wait to be accepted. With Node's 511, those of a burst wait for seconds, as their packets are sent again. */
const BACKLOG = 4_096
/** How many console requests may run at once: those of one client, and all. Static files are counted apart. */
const PAGES = { perClient: 32, total: 128 }
const STATIC_FILES = { perClient: 128, total: 512 }

/** A browser opens several pages and files at once, whatever the number of processes. */
const LEAST_PAGES = 16

/** Returns how many pages each of `processes` processes may render at once. */
export const pagesOf = (processes: number): { perClient: number; total: number } => ({
  perClient: Math.max(LEAST_PAGES, Math.ceil(PAGES.perClient / processes)),
  total: Math.max(LEAST_PAGES, Math.ceil(PAGES.total / processes)),
})

export interface EdgeOptions {
  deadlines?: Deadlines
  bodies?: BodyBudget
  /** How many pages of the console may be rendered at once. */
  pages?: { perClient: number; total: number }
  /** How long a client may read nothing of its response, in ms. */
  stallMs?: number
  /** Whether a page has a server action. Without it, as while developing, every action is passed on. */
  ownsAction?: OwnsAction
}

export interface Edge {
  server: http.Server
  inFlight: InFlight
  /** Resolves once the server accepts connections. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { port: number; host: string }): Promise<void>
  /** Stops accepting connections, lets open requests finish, and resolves when every connection is closed. */
  close(): Promise<void>
}

/** Creates the server of the public routes. Passes other paths outside of `/v1` and the bases of dialects to `next`. Without `next`, they are 404. */
export function createEdge(
  serve: "all" | "api" | "console",
  next: ConsoleHandler | null,
  { deadlines, bodies, pages = PAGES, stallMs, ownsAction = () => true }: EdgeOptions = {},
): Edge {
  const inFlight = new InFlight(deadlines, bodies)
  const slots = {
    pages: new ClientSlots(pages.perClient, pages.total),
    files: new ClientSlots(STATIC_FILES.perClient, STATIC_FILES.total),
  }
  const routes = new Map(
    publicRoutes(runtime().env)
      .filter((route) => serve === "all" || route.serve === "both" || route.serve === serve)
      .map((route) => [route.path, route]),
  )
  const isForConsole = (request: http.IncomingMessage, path = pathOf(request)): boolean =>
    next !== null && !isOfApi(path) && !routes.has(path) && !findNearestRoute(routes, path, request)

  const sockets = new Map<Socket, number>()
  const server = createServer({
    inFlight,
    stallMs,
    sendsOwnContinue: (request) => !isForConsole(request),
    handle: (request, response) => {
      // From the drain on, a client's next request uses a new connection, which its proxy may open to another process.
      if (runtime().readiness.isDraining || !server.listening) response.setHeader("connection", "close")
      return next && isForConsole(request)
        ? answerByConsole(request, response, { next, inFlight, slots, ownsAction })
        : answerByRoute(request, response, routes, inFlight)
    },
  })
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, performance.now())
    socket.once("close", () => sockets.delete(socket))
  })
  return {
    server,
    inFlight,
    listen: async (address) => {
      server.listen({ ...address, backlog: BACKLOG })
      await once(server, "listening")
    },
    close: () => close(server, inFlight, sockets),
  }
}

async function close(server: http.Server, inFlight: InFlight, sockets: ReadonlyMap<Socket, number>): Promise<void> {
  const abort = setTimeout(() => inFlight.abortAll(), FINISH_MS)
  const cut = setTimeout(() => server.closeAllConnections(), CUT_MS)
  // Node closes connections that are idle after a response, but none that never sent a request.
  const closeIdle = () => {
    server.closeIdleConnections()
    for (const [socket, openedAt] of sockets)
      if (socket.bytesRead === 0 && performance.now() - openedAt > SILENT_MS) socket.destroy()
  }
  closeIdle()
  const tidy = setInterval(closeIdle, 100)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(abort)
  clearTimeout(cut)
  clearInterval(tidy)
}

function answerByRoute(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  routes: Routes,
  inFlight: InFlight,
): void | Promise<void> {
  inFlight.limit(response)
  setCommonHeaders(response, runtime().env)
  const path = decodedPathOf(request) ?? ""
  const route = findRoute(routes, path)
  const errorForm = route ? route.errorBody : dialectAt(path)?.errorBody
  if (errorForm) setErrorForm(response, errorForm)
  return guarded(request, response, sendRefusal, () => {
    if (!route?.isProbe) clientAddress(request, runtime().env.TRUSTED_PROXY_HOPS)
    if (!route) throw notFound(routes, path, request)
    // Node leaves out the body of a response to HEAD.
    if ((request.method === "HEAD" ? "GET" : request.method) !== route.method) {
      response.setHeader("allow", route.method === "GET" ? "GET, HEAD" : route.method)
      throw new ServiceError("method_not_allowed")
    }
    return route.handle(request, response, inFlight)
  })
}

interface ConsoleBehind {
  next: ConsoleHandler
  inFlight: InFlight
  slots: { pages: ClientSlots; files: ClientSlots }
  ownsAction: OwnsAction
}

function answerByConsole(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { next, inFlight, slots, ownsAction }: ConsoleBehind,
): Promise<void> {
  const { env } = runtime()
  inFlight.limitUpload(request)
  inFlight.limit(response, CONSOLE_MS)
  setCommonHeaders(response, env)
  const send = hasLargeBody(request) ? sendErrorUnread : sendRefusal
  return guarded(request, response, send, async () => {
    refuseDotSegments(request)
    refuseMissingFile(request)
    if (openOutbox(request, response, env)) return
    // Before all that costs processor time, because a flood is refused here.
    const client = clientBlock(request, env.TRUSTED_PROXY_HOPS)
    const place = new Place(isStatic(request) ? slots.files : slots.pages, client, networksOf(client).at(-1)?.network)
    if (!place.take()) return sendConsoleUnavailable(request, response, 503)
    response.once("close", () => place.leave())
    try {
      prepareForConsole(request, response, env)
      refuseForeignOrigin(request, env.CONSOLE_URL)
      refuseLargeBody(request)
      refuseForeignAction(request, response, ownsAction)
    } catch (refusal) {
      // The refused response stays open while the client still sends a body.
      place.leave()
      throw refusal
    }
    // Only with a place, because it may query the database.
    if (await refuseAnonymousAction(request, response)) return
    recordConsole(request, response)
    return next(request, response, place)
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
  send: typeof sendRefusal,
  handle: () => void | Promise<void>,
): Promise<void> {
  try {
    await handle()
  } catch (thrown) {
    refuse(request, response, send, toServiceError(thrown))
  }
}

/** Sends an error that no route recorded, and records it. Cuts the connection when a response has already begun. */
function refuse(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  send: typeof sendRefusal,
  error: ServiceError,
): void {
  markRecorded(response)
  if (response.headersSent) response.destroy()
  else send(request, response, error)
  const requestId = String(response.getHeader("x-request-id"))
  const traceId = traceIdOf(request.headers.traceparent)
  const { status, code, cause } = error
  const { method } = request
  recordEnd({ requestId, traceId, method, status, code, cause, isLogged: isLogged(runtime(), request, status) })
}
