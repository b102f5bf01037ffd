import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as delay } from "node:timers/promises"
import { endServer, listen } from "@/test/listen"
import { type DecisionBody, isObject, Refusal } from "./decision-model"
import { PrefixCache } from "./prefix-cache"

/** What goes wrong with the requests for an answer. The kinds that affect other routes say so. */
export type Fault<Body = DecisionBody> = FaultKind<Body> & {
  /** Only requests whose body has this text go wrong, such as those of a client and not those of a probe. */
  only?: string
}

type FaultKind<Body> =
  /** Responds 503 on every route, as while a model loads. */
  | { kind: "loading" }
  /** Responds with this status and page on one other route, as a proxy does. */
  | { kind: "route"; path: string; status: number; page?: string }
  | { kind: "status"; status: number; body?: string; headers?: Record<string, string> }
  /** Delays every route. */
  | { kind: "slow"; ms: number }
  /** Responds once the promise resolves. */
  | { kind: "held"; until: Promise<void> }
  /** Reads the request and closes the connection. */
  | { kind: "reset" }
  | { kind: "nonsense"; body: string }
  | { kind: "edited"; edit(body: Body): unknown }

/** A running double of an engine. */
export interface Double<Settings, Body = DecisionBody> {
  url: string
  port: number
  /** The double reads this object, so it can be changed at any time. */
  settings: Settings
  fault: Fault<Body> | null
  requests: { method: string; path: string; headers: Record<string, unknown>; body: string }[]
  lastAnswer: string
  /** Requests for an answer whose connection closed before the response: aborted by the caller, or by a `reset`. */
  aborted: number
  /** Requests for an answer that run now, and the maximum so far. */
  working: number
  mostWorking: number
  prompts: PrefixCache
  stop(): Promise<void>
}

export type Keyed = { apiKey: string | null }

export interface EngineFamily<Of, Body = DecisionBody> {
  /** The path of the requests for an answer. */
  path: string
  /** Whether the engine's key protects a path. Default: all. */
  isProtected?(path: string): boolean
  /** Returns the response of another route, or throws a `Refusal`. */
  route(double: Of, method: string, path: string, body: string): unknown
  /** Returns an answer, or throws a `Refusal`. `pause` lasts as long as a fault says. */
  answer(double: Of, body: string, pause: () => Promise<void>, signal: AbortSignal): Promise<Body>
  /** Closes the connection after every response with an error status. */
  closesAfterError?: boolean
  errorOf(refusal: Refusal): unknown
}

/** The headers of a kept connection that the engines send. */
const KEPT_ALIVE = { connection: "keep-alive", "keep-alive": "timeout=5" }
/** Much longer than announced, because a paused thread would close a connection that a client in the same thread is about to use. */
const KEEP_ALIVE_MS = 120_000

/** Parses the body of a request, which must be an object. */
export function parsed(body: string): Record<string, unknown> {
  const value: unknown = body ? JSON.parse(body) : {}
  if (!isObject(value)) throw new Refusal(400, "invalid_request_error", "the body must be an object")
  return value
}

class Exchange<Settings extends Keyed, Body, Of extends Double<Settings, Body>> {
  readonly #isAnswer: boolean

  constructor(
    private readonly double: Of,
    private readonly family: EngineFamily<Of, Body>,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.#isAnswer = request.method === "POST" && request.url === family.path
  }

  async run(): Promise<void> {
    const { double, family, response } = this
    const gone = new AbortController()
    if (this.#isAnswer) double.mostWorking = Math.max(double.mostWorking, ++double.working)
    response.on("close", () => {
      if (!response.writableFinished) gone.abort()
      if (!this.#isAnswer) return
      double.working--
      if (!response.writableFinished) double.aborted++
    })
    try {
      await this.#respond(gone.signal)
    } catch (thrown) {
      const refusal =
        thrown instanceof Refusal ? thrown : new Refusal(400, "invalid_request_error", "the request cannot be read")
      if (!response.destroyed) this.#send(refusal.status, family.errorOf(refusal))
    }
  }

  #send(status: number, body: unknown, headers: Record<string, string> = {}): void {
    const isLast = this.family.closesAfterError && status >= 400
    const kept = isLast ? { connection: "close" } : KEPT_ALIVE
    this.response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...kept, ...headers })
    this.response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

  async #respond(signal: AbortSignal): Promise<void> {
    const { double, family, request } = this
    const body = await text(request)
    const { method = "", url: path = "" } = request
    const { settings } = double
    const fault = body.includes(double.fault?.only ?? "") ? double.fault : null
    double.requests.push({ method, path, headers: request.headers, body })
    const isProtected = family.isProtected?.(path) ?? true
    if (isProtected && settings.apiKey && request.headers.authorization !== `Bearer ${settings.apiKey}`)
      throw new Refusal(401, "authentication_error", "Invalid API Key")
    if (fault?.kind === "loading") throw new Refusal(503, "unavailable_error", "Loading model")
    if (fault?.kind === "route" && fault.path === path) return this.#send(fault.status, fault.page ?? "")
    const pause = async () => {
      if (fault?.kind === "slow") await delay(fault.ms, undefined, { ref: false })
    }
    if (!this.#isAnswer) {
      await pause()
      return this.#send(200, family.route(double, method, path, body))
    }
    if (fault?.kind === "reset") return void request.socket.destroy()
    if (fault?.kind === "status") return this.#send(fault.status, fault.body ?? "", fault.headers)
    if (fault?.kind === "nonsense") return this.#send(200, fault.body)
    if (fault?.kind === "held") await fault.until
    const made = await family.answer(double, body, pause, signal)
    double.lastAnswer = JSON.stringify(fault?.kind === "edited" ? fault.edit(made) : made)
    this.#send(200, double.lastAnswer)
  }
}

/**
 * Starts a double on this port of 127.0.0.1. Port 0 takes a free one. Rejects when the port is in use. `extend` returns what the
 * family's double has in addition to the common parts.
 */
export async function startEngineDouble<Settings extends Keyed, Extra extends object, Body>(
  family: EngineFamily<Double<Settings, Body> & Extra, Body>,
  settings: Settings,
  port: number,
  extend: (base: Double<Settings, Body>) => Extra,
): Promise<Double<Settings, Body> & Extra> {
  const base: Double<Settings, Body> = {
    url: "",
    port: 0,
    settings,
    fault: null,
    requests: [],
    lastAnswer: "",
    aborted: 0,
    working: 0,
    mostWorking: 0,
    prompts: new PrefixCache(),
    stop: () => endServer(server),
  }
  const double = Object.assign(base, extend(base))
  const server = createServer((request, response) => void new Exchange(double, family, request, response).run())
  server.keepAliveTimeout = KEEP_ALIVE_MS
  double.url = await listen(server, port)
  double.port = Number(new URL(double.url).port)
  return double
}
