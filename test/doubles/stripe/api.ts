import type { IncomingMessage } from "node:http"
import { broken, StripeRefusal } from "./errors"
import { expanded } from "./expand"
import { type Fault, type Faults, isWithoutEffect } from "./faults"
import { check, parseForm } from "./form"
import type { Answer, IdempotencyKeys } from "./idempotency"
import { expireOverdue } from "./pay"
import { type Call, type Route, routes } from "./routes"
import { newId } from "./store"
import { PRETEND_LIVE_KEY, PRETEND_TEST_KEY } from "./stripe-double"
import type { World } from "./world"

export interface Api {
  world: World
  idempotency: IdempotencyKeys
  faults: Faults
}

export type Outcome = Answer | "hang" | "reset"

const busy = (status: 429 | 503): StripeRefusal =>
  status === 429
    ? new StripeRefusal(429, { type: "rate_limit_error", message: "Too many requests hit the API too quickly." })
    : new StripeRefusal(503, { type: "api_error", message: "The service is unavailable for now." })

const ofError = ({ status, error, headers }: StripeRefusal): Answer => ({
  status,
  body: JSON.stringify({ error }, null, 2),
  headers,
})

/** A fault of the double itself, named so that it is not mistaken for Stripe's. */
const mistaken = (error: unknown): StripeRefusal =>
  new StripeRefusal(500, {
    type: "api_error",
    message: `The Stripe double failed: ${error instanceof Error ? error.stack : error}`,
  })

/** Sorts the parameters, so that equal requests compare equal. */
const inOrder = (form: string): string => [...new URLSearchParams(form)].map(String).sort().join("&")

function unauthorized(message: string): StripeRefusal {
  return new StripeRefusal(401, { type: "invalid_request_error", message })
}

function keyOf(request: IncomingMessage): string {
  const key = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1]
  if (!key)
    throw unauthorized("You did not provide an API key. You need to provide your API key in the Authorization header.")
  if (key !== PRETEND_TEST_KEY && key !== PRETEND_LIVE_KEY)
    throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`)
  return key
}

function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null
    if (match) return { route, id: decodeURIComponent(match[1] ?? "") }
  }
  const message = `Unrecognized request URL (${method}: ${path}).`
  throw new StripeRefusal(404, { type: "invalid_request_error", message })
}

function work(route: Route, call: Call, fault: Fault | null): Answer {
  try {
    if (fault === "error-before") throw broken()
    const result = route.run(call)
    if (fault === "error-after") throw broken()
    const body = JSON.stringify(expanded(call.world, result, (call.params.expand as string[]) ?? []), null, 2)
    return { status: 200, body, headers: {} }
  } catch (error) {
    return ofError(error instanceof StripeRefusal ? error : mistaken(error))
  }
}

const gone = (fault: Fault | null): "hang" | "reset" | null =>
  fault?.startsWith("timeout") ? "hang" : fault?.startsWith("reset") ? "reset" : null

interface Arrived {
  request: IncomingMessage
  path: string
  form: string
  requestId: string
}

async function answer(api: Api, { request, path, form, requestId }: Arrived): Promise<Outcome> {
  const { world, idempotency, faults } = api
  const method = request.method ?? ""
  const secret = keyOf(request)
  const { route, id } = findRoute(method, path)
  const params = check(route.shape, parseForm(form)) as Call["params"]
  const header = method === "POST" ? request.headers["idempotency-key"] : undefined
  const key = typeof header === "string" ? header : null
  const kept = key ? idempotency.begin(key, secret, { path, form: inOrder(form), requestId }) : null
  const fault = faults.take(`${method} ${path}`, kept !== null)
  if (isWithoutEffect(fault)) {
    if (key && !kept) idempotency.forget(key, secret)
    return gone(fault) ?? ofError(fault === "rate-limited" ? busy(429) : busy(503))
  }
  if (fault === "held") await faults.hold()
  expireOverdue(world)
  const call: Call = { world, livemode: /^[sr]k_live_/.test(secret), path, id, params }
  const result = kept ?? work(route, call, fault)
  if (key && !kept) idempotency.keep(key, secret, result)
  return gone(fault) ?? result
}

export async function respond(api: Api, request: IncomingMessage, body: string): Promise<Outcome> {
  const { pathname, search } = new URL(request.url ?? "/", api.world.origin)
  const requestId = newId("req", 14)
  const form = request.method === "GET" ? search.slice(1) : body
  const echo = request.headers["idempotency-key"]
  const headers = { "request-id": requestId, ...(typeof echo === "string" ? { "idempotency-key": echo } : {}) }
  try {
    const outcome = await answer(api, { request, path: pathname, form, requestId })
    if (typeof outcome === "string") return outcome
    return { ...outcome, headers: { ...headers, ...outcome.headers } }
  } catch (error) {
    const refused = ofError(error instanceof StripeRefusal ? error : mistaken(error))
    return { ...refused, headers: { ...headers, ...refused.headers } }
  }
}
