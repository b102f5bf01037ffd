import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { type DecisionBody, isObject, Refusal } from "./decision-model"
import { PrefixCache } from "./prefix-cache"

export type Fault =
  /** Responds 503 on every route, as while a model loads. */
  | { kind: "loading" }
  | { kind: "status"; status: number; body?: string; headers?: Record<string, string> }
  /** Responds with this status on one other route, as a proxy does. */
  | { kind: "route"; path: string; status: number }
  | { kind: "slow"; ms: number }
  /** Responds to decision requests once the promise resolves. */
  | { kind: "held"; until: Promise<void> }
  /** Reads the decision request and closes the connection. */
  | { kind: "reset" }
  | { kind: "nonsense"; body: string }
  | { kind: "edited"; edit(body: DecisionBody): unknown }

export interface Double<Settings> {
  url: string
  port: number
  /** The double reads this object, so it can be changed at any time. */
  settings: Settings
  fault: Fault | null
  requests: { method: string; path: string; headers: Record<string, unknown>; body: string }[]
  lastAnswer: string
  /** Decision requests whose connection closed before the response: aborted by the caller, or by a `reset`. */
  aborted: number
  /** Decision requests running now, and the maximum so far. */
  working: number
  mostWorking: number
  prompts: PrefixCache
  stop(): Promise<void>
}

export type AnyDouble = Double<{ apiKey: string | null }>

/** A double to compare with those of all families. `test/engine-samples.ts` finds the exports of this name. */
export interface EngineSample {
  name: string
  /** As a probe reports it. */
  family: string
  start(): Promise<AnyDouble>
  model: string
  /** The largest deviation from the exact probability: the family's rounding step. */
  step: number
}

export interface Family<Settings, Of extends Double<Settings> = Double<Settings>> {
  /** Returns the response of a route, or throws a `Refusal`. */
  route(double: Of, method: string, path: string, body: string): unknown
  /** Returns the response to a decision request and the prompts read for it, as tokens. */
  decide(body: Record<string, unknown>, settings: Settings, double: Of): { answer: DecisionBody; prompts: string[][] }
  /** Computes the prompts. Default: all at once, each reusing the longest computed prefix. */
  compute?(double: Of, prompts: string[][], signal: AbortSignal): Promise<void>
  /** Parses the body of a decision request. Default: malformed JSON is 400. */
  parse?(text: string, settings: Settings): Record<string, unknown>
  /** Closes the connection after every response with an error status. */
  closesAfterError?: boolean
  errorOf(refusal: Refusal): unknown
}

const DECISION_PATHS = ["/v1/systemone"]
/** What the engines announce. */
const KEPT_ALIVE = { connection: "keep-alive", "keep-alive": "timeout=5" }
/** Much longer than announced, because a paused thread would close a connection that a client in the same thread is about to use. */
export const KEEP_ALIVE_MS = 120_000

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Refusal(400, "invalid_request_error", "the body must be an object")
  return value
}

async function computeAtOnce(double: Double<unknown>, prompts: string[][], ms: number): Promise<void> {
  for (const prompt of prompts) double.prompts.begin(prompt)
  if (ms > 0) await delay(ms, undefined, { ref: false })
  for (const prompt of prompts) double.prompts.end(prompt)
}

type Keyed = { apiKey: string | null }

class Exchange<Settings extends Keyed, Of extends Double<Settings>> {
  readonly #isDecision: boolean

  constructor(
    private readonly double: Of,
    private readonly family: Family<Settings, Of>,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.#isDecision = request.method === "POST" && DECISION_PATHS.includes(request.url ?? "")
  }

  async run(): Promise<void> {
    const { double, family, response } = this
    const gone = new AbortController()
    if (this.#isDecision) double.mostWorking = Math.max(double.mostWorking, ++double.working)
    response.on("close", () => {
      if (!response.writableFinished) gone.abort()
      if (!this.#isDecision) return
      double.working--
      if (!response.writableFinished) double.aborted++
    })
    try {
      await this.#answer(gone.signal)
    } catch (thrown) {
      const refusal =
        thrown instanceof Refusal ? thrown : new Refusal(400, "invalid_request_error", "the request cannot be read")
      if (!response.destroyed) this.#send(refusal.status, family.errorOf(refusal))
    }
  }

  #send(status: number, body: unknown, headers: Record<string, string> = {}): void {
    const isLast = this.family.closesAfterError && status >= 400
    send(this.response, status, body, { ...(isLast ? { connection: "close" } : KEPT_ALIVE), ...headers })
  }

  async #answer(signal: AbortSignal): Promise<void> {
    const { double, family, request } = this
    const body = await bodyOf(request)
    const { method = "", url: path = "" } = request
    const { fault, settings } = double
    double.requests.push({ method, path, headers: request.headers, body })
    if (settings.apiKey && request.headers.authorization !== `Bearer ${settings.apiKey}`)
      throw new Refusal(401, "authentication_error", "Invalid API Key")
    if (fault?.kind === "loading") throw new Refusal(503, "unavailable_error", "Loading model")
    if (fault?.kind === "route" && fault.path === path) return this.#send(fault.status, "")
    const isDecision = this.#isDecision
    if (isDecision && fault?.kind === "reset") return void request.socket.destroy()
    if (isDecision && fault?.kind === "status") return this.#send(fault.status, fault.body ?? "", fault.headers)
    if (isDecision && fault?.kind === "nonsense") return this.#send(200, fault.body)
    if (isDecision && fault?.kind === "held") await fault.until
    const ms = fault?.kind === "slow" ? fault.ms : 0
    if (!isDecision) {
      if (ms > 0) await delay(ms, undefined, { ref: false })
      return this.#send(200, family.route(double, method, path, body))
    }
    const { answer: made, prompts } = family.decide((family.parse ?? parsed)(body, settings), settings, double)
    if (family.compute) {
      if (ms > 0) await delay(ms, undefined, { ref: false })
      await family.compute(double, prompts, signal)
    } else await computeAtOnce(double, prompts, ms)
    double.lastAnswer = JSON.stringify(fault?.kind === "edited" ? fault.edit(made) : made)
    this.#send(200, double.lastAnswer)
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Starts a double. `extend` returns what the family's double has in addition to the common parts. */
export async function startDouble<Settings extends Keyed, Extra extends object = object>(
  family: Family<Settings, Double<Settings> & Extra>,
  settings: Settings,
  port = 0,
  extend: (base: Double<Settings>) => Extra = () => ({}) as Extra,
): Promise<Double<Settings> & Extra> {
  const base: Double<Settings> = {
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
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const double = Object.assign(base, extend(base))
  const server = createServer((request, response) => void new Exchange(double, family, request, response).run())
  server.keepAliveTimeout = KEEP_ALIVE_MS
  double.port = await listen(server, port)
  double.url = `http://127.0.0.1:${double.port}`
  return double
}
