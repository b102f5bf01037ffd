import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { type DecisionBody, decide, hashed, invalid, Refusal, textOf, tokensOf } from "./llama-cpp-decisions"

/** What goes wrong on command, until `fault` is set to null again. */
export type Fault =
  /** Answers 503 to everything, as while a model is loaded. */
  | { kind: "loading" }
  /** Answers this on the decision route. */
  | { kind: "status"; status: number; body?: string; headers?: Record<string, string> }
  /** Answers after so many milliseconds. */
  | { kind: "slow"; ms: number }
  /** Takes the decision request and closes the connection. */
  | { kind: "reset" }
  /** Answers a 200 on the decision route with this text. */
  | { kind: "nonsense"; body: string }
  /** Answers well, but changes the body first. */
  | { kind: "edited"; edit(body: DecisionBody): unknown }

export interface LlamaCppSettings {
  port?: number
  alias?: string
  build?: string
  slots?: number
  contextTokens?: number
  maxOptions?: number
  apiKey?: string | null
  isDecisionModel?: boolean
  /** Without it, `/tokenize` and `/props` are 404: another engine on the same wire. */
  isPlainWire?: boolean
}

export interface LlamaCppDouble {
  url: string
  port: number
  /** The same object the double reads: change it while it runs. */
  settings: Required<Omit<LlamaCppSettings, "port">>
  fault: Fault | null
  /** Every request, in order. */
  requests: { method: string; path: string; headers: Record<string, unknown>; body: string }[]
  /** Decision requests that were aborted by the caller. */
  aborted: number
  /** Decision requests at work now, and the most there were at once. */
  working: number
  mostWorking: number
  stop(): Promise<void>
}

function tokenize(text: string): unknown {
  const { content } = JSON.parse(text)
  return { tokens: tokensOf(textOf(content)).map((piece) => Math.floor(hashed(piece) * 150_000)) }
}

const models = ({ alias, isDecisionModel, isPlainWire }: LlamaCppDouble["settings"]): unknown => ({
  object: "list",
  data: [
    isPlainWire
      ? { id: alias, object: "model" }
      : {
          id: alias,
          object: "model",
          owned_by: "llamacpp",
          architecture: { input_modalities: ["text"], output_modalities: isDecisionModel ? ["decisions"] : ["text"] },
        },
  ],
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

const errorOf = ({ status, type, message, extra }: Refusal) => ({ error: { code: status, message, type, ...extra } })

function route(double: LlamaCppDouble, method: string, path: string, body: string): unknown {
  const { settings } = double
  if (method === "GET" && path === "/v1/models") return models(settings)
  if (method === "GET" && path === "/props" && !settings.isPlainWire)
    return {
      build_info: settings.build,
      total_slots: settings.slots,
      default_generation_settings: { n_ctx: settings.contextTokens },
    }
  if (method === "POST" && path === "/tokenize" && !settings.isPlainWire) return tokenize(body)
  if (method === "POST" && path === "/v1/systemone") return decide(body, settings)
  throw new Refusal(404, "not_found_error", "File Not Found")
}

async function answer(double: LlamaCppDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const { method = "", url: path = "" } = request
  const { fault, settings } = double
  double.requests.push({ method, path, headers: request.headers, body })
  if (settings.apiKey && request.headers.authorization !== `Bearer ${settings.apiKey}`)
    return send(response, 401, errorOf(new Refusal(401, "authentication_error", "Invalid API Key")))
  if (fault?.kind === "loading")
    return send(response, 503, errorOf(new Refusal(503, "unavailable_error", "Loading model")))
  const isDecision = path === "/v1/systemone"
  if (isDecision && fault?.kind === "reset") return void request.socket.destroy()
  if (isDecision && fault?.kind === "status") return send(response, fault.status, fault.body ?? "", fault.headers)
  if (isDecision && fault?.kind === "nonsense") return send(response, 200, fault.body)
  if (fault?.kind === "slow") await delay(fault.ms, undefined, { ref: false })
  const result = route(double, method, path, body)
  send(response, 200, isDecision && fault?.kind === "edited" ? fault.edit(result as DecisionBody) : result)
}

async function counted(double: LlamaCppDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isDecision = request.url === "/v1/systemone"
  if (isDecision) double.mostWorking = Math.max(double.mostWorking, ++double.working)
  response.on("close", () => {
    if (!isDecision) return
    double.working--
    if (!response.writableFinished) double.aborted++
  })
  try {
    await answer(double, request, response)
  } catch (thrown) {
    const refusal = thrown instanceof Refusal ? thrown : invalid("the request cannot be read")
    if (!response.destroyed) send(response, refusal.status, errorOf(refusal))
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return (server.address() as AddressInfo).port
}

/**
 * A stand-in for `llama-server` with a decision model: the routes, refusals and token accounting of its
 * server's documentation and tests.
 * Its answers come from a hash of what it is asked, so the same question always gets the same numbers.
 */
export async function startLlamaCpp({ port = 0, ...settings }: LlamaCppSettings = {}): Promise<LlamaCppDouble> {
  const double: LlamaCppDouble = {
    url: "",
    port: 0,
    settings: {
      alias: "kev-4b",
      build: "b11400-0a1b2c3d",
      slots: 4,
      contextTokens: 16_640,
      maxOptions: 255,
      apiKey: null,
      isDecisionModel: true,
      isPlainWire: false,
      ...settings,
    },
    fault: null,
    requests: [],
    aborted: 0,
    working: 0,
    mostWorking: 0,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => void counted(double, request, response))
  double.port = await listen(server, port)
  double.url = `http://127.0.0.1:${double.port}`
  return double
}
