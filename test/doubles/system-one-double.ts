import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { type DecisionBody, isObject, Refusal } from "./decision-model"
import { PrefixCache } from "./prefix-cache"

export type Fault =
  /** Responds 503 on every route, as while a model loads. */
  | { kind: "loading" }
  | { kind: "status"; status: number; body?: string; headers?: Record<string, string> }
  | { kind: "slow"; ms: number }
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
  /** Decision requests that were aborted by the caller. */
  aborted: number
  /** Decision requests running now, and the maximum so far. */
  working: number
  mostWorking: number
  prompts: PrefixCache
  stop(): Promise<void>
}

export type AnyDouble = Double<{ apiKey: string | null }>

export interface Family<Settings> {
  /** Returns the response of a route, or throws a `Refusal`. */
  route(double: Double<Settings>, method: string, path: string, body: string): unknown
  /** Returns the response to a decision request and the prompts read for it, as tokens. */
  decide(body: Record<string, unknown>, settings: Settings): { answer: DecisionBody; prompts: string[][] }
  errorOf(refusal: Refusal): unknown
}

const DECISION_PATHS = ["/v1/systemone"]

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

async function answer<Settings extends { apiKey: string | null }>(
  double: Double<Settings>,
  family: Family<Settings>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const { method = "", url: path = "" } = request
  const { fault, settings } = double
  double.requests.push({ method, path, headers: request.headers, body })
  if (settings.apiKey && request.headers.authorization !== `Bearer ${settings.apiKey}`)
    throw new Refusal(401, "authentication_error", "Invalid API Key")
  if (fault?.kind === "loading") throw new Refusal(503, "unavailable_error", "Loading model")
  const isDecision = method === "POST" && DECISION_PATHS.includes(path)
  if (isDecision && fault?.kind === "reset") return void request.socket.destroy()
  if (isDecision && fault?.kind === "status") return send(response, fault.status, fault.body ?? "", fault.headers)
  if (isDecision && fault?.kind === "nonsense") return send(response, 200, fault.body)
  if (!isDecision) {
    if (fault?.kind === "slow") await delay(fault.ms, undefined, { ref: false })
    return send(response, 200, family.route(double, method, path, body))
  }
  const { answer: made, prompts } = family.decide(parsed(body), settings)
  for (const prompt of prompts) double.prompts.begin(prompt)
  if (fault?.kind === "slow") await delay(fault.ms, undefined, { ref: false })
  for (const prompt of prompts) double.prompts.end(prompt)
  double.lastAnswer = JSON.stringify(fault?.kind === "edited" ? fault.edit(made) : made)
  send(response, 200, double.lastAnswer)
}

async function counted<Settings extends { apiKey: string | null }>(
  double: Double<Settings>,
  family: Family<Settings>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isDecision = request.method === "POST" && DECISION_PATHS.includes(request.url ?? "")
  if (isDecision) double.mostWorking = Math.max(double.mostWorking, ++double.working)
  response.on("close", () => {
    if (!isDecision) return
    double.working--
    if (!response.writableFinished) double.aborted++
  })
  try {
    await answer(double, family, request, response)
  } catch (thrown) {
    const refusal =
      thrown instanceof Refusal ? thrown : new Refusal(400, "invalid_request_error", "the request cannot be read")
    if (!response.destroyed) send(response, refusal.status, family.errorOf(refusal))
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return (server.address() as AddressInfo).port
}

export async function startDouble<Settings extends { apiKey: string | null }>(
  family: Family<Settings>,
  settings: Settings,
  port = 0,
): Promise<Double<Settings>> {
  const double: Double<Settings> = {
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
  const server = createServer((request, response) => void counted(double, family, request, response))
  double.port = await listen(server, port)
  double.url = `http://127.0.0.1:${double.port}`
  return double
}
