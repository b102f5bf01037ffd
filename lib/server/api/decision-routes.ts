import type { IncomingMessage } from "node:http"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { refuseOtherAccount } from "@/lib/server/auth/shown-account"
import { countRequest } from "@/lib/server/decisions/count-request"
import { decide } from "@/lib/server/decisions/decide"
import type { Dialect } from "@/lib/server/dialects/dialect"
import { DIALECTS } from "@/lib/server/dialects/dialects"
import type { Priority } from "@/lib/server/engines/fair-queue"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { findKeyOfAccount, verifyKey } from "@/lib/server/keys/verify-key"
import { countRow, requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { WindowState } from "@/lib/server/limits/windows"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Verified } from "@/lib/server/platform/authority"
import { clientAddress, clientBlock } from "@/lib/server/platform/client-address"
import { parsePublicId } from "@/lib/server/platform/ids"
import { requireOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { ServiceError } from "@/lib/shared/errors"
import { FREE_BODY_BYTES } from "./body-budget"
import { bodyRoute } from "./body-route"
import { readBody } from "./read-body"
import { setRateHeaders } from "./respond"
import type { Route } from "./route"

/** Above this multiple of its limit, a client's connection is closed after each response. */
const FAR_BEYOND = 10

interface DecisionRoute {
  path: string
  serve: Route["serve"]
  authenticate(request: IncomingMessage, earlier?: KnownKey): Promise<KnownKey>
  dialect?: Dialect | null
  /** Counts a request in its windows. Those of the key and its account unless given. */
  countIn?(key: KnownKey): Promise<WindowState> | WindowState
  priority?: Priority
}

const decisionRoute = ({ path, serve, authenticate, dialect = null, countIn, priority }: DecisionRoute): Route =>
  bodyRoute({
    path,
    serve,
    errorBody: dialect?.errorBody,
    authenticate,
    count: async (key, response, record) => {
      record.payer = key
      const window = await (countIn ? countIn(key) : runtime().rates.count(key, key.perSecond))
      setRateHeaders(response, window)
      // A client that ignores every refusal has to pay for a new connection each time.
      if (window.used > FAR_BEYOND * window.limit) response.setHeader("connection", "close")
      return window
    },
    read: (source, reservation) => runtime().metrics.timed("read", () => readBody(source, reservation)),
    handle: async (call) => {
      const { request, response, caller, window, body, mediaFault, authorize, signal, record, onMemory, onCharge } =
        call
      const onModel = (model: string) => {
        record.model = model
      }
      // Named one by one: V8 copies the properties of `...call` in its slow runtime, at 2 % of a request.
      const { json, tokens, costUsd } = await decide(runtime(), {
        requestId: record.requestId,
        actor: caller,
        window,
        body,
        mediaFault,
        dialect,
        idempotencyKey: request.headers["idempotency-key"]?.toString(),
        priority,
        startedAt: record.startedAt,
        authorize,
        signal,
        onModel,
        onMemory,
        onCharge,
      })
      if (!response.headersSent) response.setHeader("x-svc-cost-usd", costUsd)
      if (tokens !== null) record.tokens = tokens
      else if (!response.headersSent) response.setHeader("idempotent-replayed", "true")
      return json
    },
  })

const ofApi = (path: string, dialect: Dialect | null = null): Route =>
  decisionRoute({
    path,
    serve: "api",
    authenticate: (request) =>
      verifyKey(runtime(), request.headers.authorization, () => clientBlock(request, runtime().env.TRUSTED_PROXY_HOPS)),
    dialect,
  })

/** `POST /v1/decisions`: the API, charged to the key in `Authorization`. */
export const decisions = ofApi("/v1/decisions")

/** The same for clients of other APIs, such as `POST /v1/systemone` (docs/decisions/0058). */
export const dialectRoutes = DIALECTS.map((dialect) => ofApi(dialect.path, dialect))

/** Returns the key in `x-svc-key-id`, or the Playground key, of a signed-in user's account. */
async function findKeyOfUser(request: IncomingMessage, earlier?: KnownKey): Promise<KnownKey> {
  const actor = await requireConsoleActor(request, earlier)
  const chosen = request.headers["x-svc-key-id"]
  const keyId = typeof chosen === "string" ? parsePublicId("key", chosen) : null
  if (chosen !== undefined && keyId === null)
    throw new ServiceError("not_found", { message: "This account has no active key with this id." })
  const key = await findKeyOfAccount(runtime(), actor.accountId, keyId).catch((refusal) => {
    // As at the hold of a request whose key has ended since.
    throw earlier && refusal instanceof ServiceError ? new ServiceError("invalid_api_key") : refusal
  })
  return { ...key, verifiedAt: actor.verifiedAt }
}

/** `POST /playground/decisions`: the same for a signed-in user, charged to the key of `findKeyOfUser`. */
export const playgroundDecisions = decisionRoute({
  path: "/playground/decisions",
  serve: "console",
  authenticate: findKeyOfUser,
})

/** `POST /evaluate/decisions`: a row of Evaluate, which has windows of its own and the lowest priority at the engine. */
export const evaluateDecisions = decisionRoute({
  path: "/evaluate/decisions",
  serve: "console",
  authenticate: findKeyOfUser,
  countIn: ({ accountId }) => countRow(runtime(), accountId, runtime().env.EVALUATE_RATE),
  priority: "background",
})

/** `POST /playground/tokens`: returns what a decision request would cost, for a signed-in user. Charges nothing. */
export const playgroundTokens = bodyRoute({
  path: "/playground/tokens",
  serve: "console",
  authenticate: requireConsoleActor,
  count: ({ accountId }) => requireWithinRate(runtime(), "token_counts", accountId),
  admit: ({ accountId }, body, response, { largeCounts }) => {
    if (body.length <= FREE_BODY_BYTES) return
    const leave = largeCounts.take(accountId)
    if (!leave) throw new ServiceError("rate_limited", { retryAfterSeconds: 1 })
    response.once("close", leave)
  },
  handle: async ({ caller: { accountId }, body, mediaFault, authorize, signal, record, onMemory }) => {
    const onModel = (model: string) => {
      record.model = model
    }
    const counted = await countRequest(runtime(), {
      accountId,
      body,
      mediaFault,
      authorize,
      signal,
      onModel,
      onMemory,
    })
    // The engine may have counted for long.
    await authorize()
    return JSON.stringify(counted)
  },
})

/**
 * Returns the signed-in user. Throws `signed_out` without a session, and `account_switched` for a tab that shows another
 * account. Throws `forbidden` for a request of another origin, and for a role that may not run decisions. A request that was accepted
 * `earlier` stays with its account.
 */
async function requireConsoleActor(request: IncomingMessage, earlier?: Verified): Promise<UserActor & Verified> {
  const { env } = runtime()
  const verifiedAt = performance.now()
  requireOwnOrigin(request.headers.origin, env.CONSOLE_URL)
  const actor = await actorOfCookies(runtime(), request.headers.cookie, clientAddress(request, env.TRUSTED_PROXY_HOPS))
  if (!actor) throw new ServiceError("signed_out")
  refuseOtherAccount(actor, earlier?.accountId ?? request.headers[SHOWN_ACCOUNT])
  requireRight(actor, "decisions.run")
  return { ...actor, verifiedAt }
}
