import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { respond } from "./api"
import { showPage } from "./checkout-page"
import { control } from "./control"
import { StripeDouble, type StripeOptions } from "./stripe-double"

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body = ""): void {
  response.writeHead(status, headers)
  response.end(body)
}

const JSON_TYPE = { "content-type": "application/json" }
const HTML_TYPE = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }

async function answer(double: StripeDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const { method = "", url = "/" } = request
  const { pathname, search } = new URL(url, double.url)
  if (pathname.startsWith("/v1/")) {
    const { world, keys, idempotency, faults } = double
    const outcome = await respond({ world, keys, idempotency, faults }, request, body)
    if (outcome === "hang") return
    if (outcome === "reset") return void request.socket.destroy()
    return send(response, outcome.status, { ...JSON_TYPE, ...outcome.headers }, outcome.body)
  }
  if (pathname.startsWith("/_double/")) {
    const { status, result } = await control(double, request, pathname, body)
    return send(response, status, JSON_TYPE, JSON.stringify(result ?? null))
  }
  const page = await showPage(double, method, pathname, search)
  if (page?.location) return send(response, page.status, { location: page.location })
  send(response, page?.status ?? 404, HTML_TYPE, page?.html ?? "Not found")
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return (server.address() as AddressInfo).port
}

/**
 * Starts a Stripe double on 127.0.0.1, for Stripe's SDK, with checkout pages for browsers and commands for tests. It keeps
 * everything in memory and moves no money.
 */
export async function startStripe(options: StripeOptions = {}): Promise<StripeDouble> {
  const server = createServer((request, response) => {
    answer(double, request, response).catch(() => request.socket.destroy())
  })
  const double = new StripeDouble(server, options)
  double.port = await listen(server, options.port ?? 0)
  double.world.origin = `http://127.0.0.1:${double.port}`
  return double
}
