import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@/test/listen"
import { respond } from "./api"
import { showPage } from "./checkout-page"
import { StripeDouble, type StripeOptions } from "./stripe-double"

function send(response: ServerResponse, status: number, headers: Record<string, string>, body = ""): void {
  response.writeHead(status, headers)
  response.end(body)
}

const JSON_TYPE = { "content-type": "application/json" }
const HTML_TYPE = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }

async function answer(double: StripeDouble, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const { method = "", url = "/" } = request
  const { pathname, search } = new URL(url, double.url)
  if (pathname.startsWith("/v1/")) {
    const outcome = await respond(double, request, body)
    if (outcome === "hang") return
    if (outcome === "reset") return void request.socket.destroy()
    return send(response, outcome.status, { ...JSON_TYPE, ...outcome.headers }, outcome.body)
  }
  const page = await showPage(double, method, pathname, search)
  if (page?.location) return send(response, page.status, { location: page.location })
  send(response, page?.status ?? 404, HTML_TYPE, page?.html ?? "Not found")
}

/**
 * Starts a Stripe double on 127.0.0.1, for Stripe's SDK, with checkout pages for browsers. It keeps everything in memory and
 * moves no money.
 */
export async function startStripe(options: StripeOptions = {}): Promise<StripeDouble> {
  const server = createServer((request, response) => {
    answer(double, request, response).catch(() => request.socket.destroy())
  })
  const double = new StripeDouble(server, options)
  double.world.origin = await listen(server)
  return double
}
