import * as http from "node:http"
import type { OwnsAction } from "@/lib/server/api/action-map"
import { ArrivingBodies, BodyCutOff } from "@/lib/server/api/arriving-bodies"
import { checkAction } from "@/lib/server/api/check-action"
import type { Place } from "@/lib/server/api/client-slots"
import { maxConsoleBody } from "@/lib/server/api/console-actions"
import { sendConsoleUnavailable } from "@/lib/server/api/console-unavailable"
import type { ConsoleHandler } from "@/lib/server/api/route"
import { addressBlock } from "@/lib/server/platform/client-address"
import { networksOf } from "@/lib/server/platform/client-networks"
import { KeptStatus } from "./kept-status"

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and those of a body that is sent again as a whole. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** How long the console may take until its response begins. */
const BEGIN_MS = 60_000

interface Target {
  socketPath: string
  agent: http.Agent
  bodies: ArrivingBodies
  ownsAction: OwnsAction
}

/** Reads the body, which is small, without a place among the requests that the console answers. Null for a request without one. */
async function readBody(request: http.IncomingMessage, place: Place, bodies: ArrivingBodies): Promise<Buffer | null> {
  const { headers } = request
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return null
  place.leave()
  const client = addressBlock(String(headers["x-svc-client"]))
  return bodies.read(request, maxConsoleBody(request), networksOf(client).at(-1)?.network ?? client)
}

function headersFor({ headers }: http.IncomingMessage, body: Buffer | null): http.OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name))
  return { ...Object.fromEntries(kept), ...(body ? { "content-length": body.length } : {}) }
}

/** Copies the head of the console's response. Headers of this connection remain as they are. */
function copyHead(answer: http.IncomingMessage, response: http.ServerResponse): void {
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && (name === "content-length" || !NOT_FORWARDED.has(name))) response.setHeader(name, value)
  response.writeHead(answer.statusCode ?? 502)
}

/**
 * Sends a request to the console's process on `agent` and its response back, as a stream. Aborts travel both ways. A process
 * that dies before its response begins is a 503, and one that takes over 60 s to begin it is a 504.
 */
async function forwardToConsole(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  place: Place,
  { socketPath, agent, bodies, ownsAction }: Target,
): Promise<void> {
  const sent = await readBody(request, place, bodies)
  const body = await checkAction(request, response, sent, ownsAction)
  if (response.destroyed) return
  if (!place.take()) return sendConsoleUnavailable(request, response, 503)
  const forwarded = http.request({
    socketPath,
    agent,
    method: request.method,
    path: request.url,
    headers: headersFor(request, body),
  })
  const late = setTimeout(() => {
    sendConsoleUnavailable(request, response, 504)
    forwarded.destroy()
  }, BEGIN_MS)
  response.once("close", () => {
    clearTimeout(late)
    if (!response.writableFinished) forwarded.destroy()
  })
  forwarded.on("error", () => {
    clearTimeout(late)
    if (response.headersSent) response.destroy()
    else sendConsoleUnavailable(request, response, 503)
  })
  forwarded.on("response", (answer) => {
    clearTimeout(late)
    if (response.headersSent || response.destroyed) return void answer.destroy()
    copyHead(answer, response)
    // When the console's process dies within its response, the client must not take a part for the whole.
    answer.once("error", () => response.destroy())
    answer.pipe(response)
  })
  forwarded.end(body ?? undefined)
}

/** The way from a process with the port to the console's process, whose socket changes when it is restarted. */
export class ConsoleLink {
  /** The socket of the process that is ready; null while there is none. */
  socketPath: string | null = null
  /** Whether a page has an action. Set before the first request. */
  ownsAction: OwnsAction = () => false
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 })
  readonly #bodies = new ArrivingBodies()
  readonly #status = new KeptStatus()

  readonly handle: ConsoleHandler = async (request, response, place) => {
    const { socketPath, ownsAction } = this
    if (socketPath === null) return sendConsoleUnavailable(request, response, 503)
    const target = { socketPath, agent: this.#agent, bodies: this.#bodies, ownsAction }
    if (await this.#status.send(request, response, target)) return
    try {
      await forwardToConsole(request, response, place, target)
    } catch (error) {
      if (!(error instanceof BodyCutOff)) throw error
      sendConsoleUnavailable(request, response, 503)
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}
