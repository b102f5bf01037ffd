import type { IncomingMessage, ServerResponse } from "node:http"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { findKeyOfAccount, verifyKey } from "@/lib/server/keys/verify-key"
import { addressBlock, clientAddress } from "@/lib/server/platform/client-address"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { answerDecision } from "./answer-decision"
import { answerTokens } from "./answer-tokens"
import { requireConsoleActor } from "./console-actor"
import type { InFlight } from "./in-flight"
import { answerMetrics } from "./metrics-route"
import { recordEnd } from "./record-end"
import { assignRequestId } from "./request-id"
import { sendError, sendJson } from "./respond"

const MODELS_PER_SECOND = 5

export type RouteHandler = (request: IncomingMessage, response: ServerResponse, inFlight: InFlight) => Promise<void>

/** A path of this process's own edge: its one method and who answers. */
export interface Route {
  path: string
  method: "GET" | "POST"
  serve: "api" | "console" | "both"
  handle: RouteHandler
}

/** The account's Playground key, or one of its own keys by id. */
async function findPlaygroundKey(request: IncomingMessage): Promise<KnownKey> {
  const actor = await requireConsoleActor(request)
  const chosen = request.headers["x-svc-key-id"]
  const keyId = typeof chosen === "string" ? parsePublicId("key", chosen) : null
  if (chosen !== undefined && keyId === null)
    throw new ServiceError("not_found", { message: "This account has no active key with this id." })
  return findKeyOfAccount(actor.accountId, keyId)
}

const decisions: RouteHandler = (request, response, inFlight) =>
  answerDecision(request, response, {
    route: "/v1/decisions",
    inFlight,
    findKey: () => verifyKey(request.headers.authorization),
  })

const playground: RouteHandler = (request, response, inFlight) =>
  answerDecision(request, response, { route: "/playground/decisions", inFlight, findKey: findPlaygroundKey })

const models: RouteHandler = async (request, response) => {
  const startedAt = performance.now()
  const requestId = publicId("req", assignRequestId(response))
  const refusal = await findModelsRefusal(request)
  if (refusal) sendError(response, refusal)
  else sendJson(response, 200, JSON.stringify({ data: runtime().catalogue.list() }))
  const { status, code } = refusal ?? { status: 200, code: "ok" }
  recordEnd({ requestId, route: "/v1/models", status, code, elapsedMs: performance.now() - startedAt })
}

async function findModelsRefusal(request: IncomingMessage): Promise<ServiceError | null> {
  const { catalogue, env, rates } = runtime()
  const address = addressBlock(clientAddress(request, env.TRUSTED_PROXY_HOPS))
  if (!(await rates.countAddress(address, MODELS_PER_SECOND)))
    return new ServiceError("rate_limited", { retryAfterSeconds: 1 })
  if (!catalogue.fresh) return new ServiceError("model_unavailable", { message: "The model list cannot be loaded." })
  return null
}

const healthz: RouteHandler = async (_request, response) => sendJson(response, 200, '{"status":"ok"}')

const readyz: RouteHandler = async (_request, response) => {
  const { pool, catalogue, engines, rates } = runtime()
  const database = await pool.query("SELECT 1").then(
    () => true,
    () => false,
  )
  const probed = await engines.ready().then(() => true)
  const ready = database && catalogue.fresh && probed
  const body = {
    status: ready ? "ok" : "unavailable",
    engine: engines.degraded() ? "degraded" : "ok",
    redis: rates.redis ?? undefined,
  }
  sendJson(response, ready ? 200 : 503, JSON.stringify(body))
}

/** Everything that never enters Next. */
export const ROUTES: Route[] = [
  { path: "/v1/decisions", method: "POST", serve: "api", handle: decisions },
  { path: "/v1/models", method: "GET", serve: "api", handle: models },
  { path: "/playground/decisions", method: "POST", serve: "console", handle: playground },
  { path: "/playground/tokens", method: "POST", serve: "console", handle: answerTokens },
  { path: "/healthz", method: "GET", serve: "both", handle: healthz },
  { path: "/readyz", method: "GET", serve: "both", handle: readyz },
  { path: "/metrics", method: "GET", serve: "both", handle: answerMetrics },
]
