import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { isObject, Refusal } from "./decision-model"
import { PrefixCache } from "./prefix-cache"
import { KEEP_ALIVE_MS } from "./system-one-double"

export type LabelFault =
  /** Responds 503 on every route, as while a model loads. */
  | { kind: "loading" }
  /** Responds with this status and page on one other route, as a proxy does. */
  | { kind: "route"; path: string; status: number; page: string }
  | { kind: "status"; status: number; body: string; headers?: Record<string, string> }
  | { kind: "slow"; ms: number }
  | { kind: "reset" }
  | { kind: "edited"; edit(body: unknown): unknown }

/** A running double of an engine that serves an ordinary chat model. */
export interface LabelDouble<Settings> {
  url: string
  port: number
  /** The double reads this object, so it can be changed at any time. */
  settings: Settings
  /** Applies to the route that generates, unless its kind says otherwise. */
  fault: LabelFault | null
  requests: { method: string; path: string; body: string }[]
  /** Bodies of the generating requests so far. */
  reads(): Record<string, unknown>[]
  /** Filled by families whose prefix cache is measured. */
  prompts: PrefixCache
  /** The prompt of the read that has just begun. */
  begun: string[] | null
  stop(): Promise<void>
}

/** A double to compare with those of all families. `test/engine-samples.ts` finds the exports of this name. */
export interface LabelSample {
  /** As a probe reports it. */
  family: string
  start(settings?: object): Promise<LabelDouble<{ apiKey: string | null }>>
  /** The largest deviation from the exact probability. */
  tolerance: number
}

export interface LabelFamily<Settings> {
  generates: string
  route(double: LabelDouble<Settings>, method: string, path: string, body: Record<string, unknown>): unknown
  errorOf(refusal: Refusal): unknown
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = text ? JSON.parse(text) : {}
  if (!isObject(value)) throw new Refusal(400, "BadRequestError", "the body must be an object")
  return value
}

async function respond<Settings extends { apiKey: string | null }>(
  double: LabelDouble<Settings>,
  family: LabelFamily<Settings>,
  request: IncomingMessage,
): Promise<{ status: number; body: unknown; headers?: Record<string, string> | undefined } | null> {
  const { method = "", url: path = "" } = request
  const text = await bodyOf(request)
  double.requests.push({ method, path, body: text })
  const { fault, settings } = double
  // As vLLM's `--api-key` does, the key protects only the routes under /v1. Doubles of other engines do the same here.
  const isProtected = path.startsWith("/v1")
  if (isProtected && settings.apiKey && request.headers.authorization !== `Bearer ${settings.apiKey}`)
    throw new Refusal(401, "Unauthorized", "Unauthorized")
  if (fault?.kind === "loading") throw new Refusal(503, "ServiceUnavailableError", "Loading model")
  if (fault?.kind === "route" && fault.path === path) return { status: fault.status, body: fault.page }
  if (path !== family.generates) return { status: 200, body: family.route(double, method, path, parsed(text)) }
  if (fault?.kind === "reset") return null
  if (fault?.kind === "status") return fault
  const body = family.route(double, method, path, parsed(text))
  const { begun } = double
  if (fault?.kind === "slow") await delay(fault.ms, undefined, { ref: false })
  // A prompt is in the cache only when its read has ended.
  if (begun) double.prompts.end(begun)
  return { status: 200, body: fault?.kind === "edited" ? fault.edit(body) : body }
}

async function handle<Settings extends { apiKey: string | null }>(
  double: LabelDouble<Settings>,
  family: LabelFamily<Settings>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }
  try {
    const made = await respond(double, family, request)
    if (made) send(made.status, made.body, made.headers)
    else request.socket.destroy()
  } catch (thrown) {
    const refusal = thrown instanceof Refusal ? thrown : new Refusal(400, "BadRequestError", "cannot be read")
    if (!response.destroyed) send(refusal.status, family.errorOf(refusal))
  }
}

/** Starts a double on this port of 127.0.0.1. Port 0 takes a free one. Rejects when the port is in use. */
export async function startLabelDouble<Settings extends { apiKey: string | null }>(
  family: LabelFamily<Settings>,
  settings: Settings,
  port: number,
): Promise<LabelDouble<Settings>> {
  const server = createServer((request, response) => void handle(double, family, request, response))
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const double: LabelDouble<Settings> = {
    url: "",
    port: 0,
    settings,
    fault: null,
    requests: [],
    reads: () => double.requests.filter(({ path }) => path === family.generates).map(({ body }) => parsed(body)),
    prompts: new PrefixCache(),
    begun: null,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  double.port = (server.address() as AddressInfo).port
  double.url = `http://127.0.0.1:${double.port}`
  return double
}
