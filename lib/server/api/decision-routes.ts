import type { IncomingMessage, ServerResponse } from "node:http"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { refuseOtherAccount } from "@/lib/server/auth/shown-account"
import { countRequest } from "@/lib/server/decisions/count-request"
import { type DecisionCall, decide } from "@/lib/server/decisions/decide"
import { type BatchCall, decideBatch } from "@/lib/server/decisions/decide-batch"
import { timedStage } from "@/lib/server/decisions/request-facts"
import type { Dialect } from "@/lib/server/dialects/dialect"
import { DIALECTS } from "@/lib/server/dialects/dialects"
import type { Priority } from "@/lib/server/engines/fair-queue"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { findKeyOfAccount } from "@/lib/server/keys/verify-key"
import { countRow, requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { WindowState } from "@/lib/server/limits/windows"
import { findStay } from "@/lib/server/models/alias-stays"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Verified } from "@/lib/server/platform/authority"
import { clientAddress } from "@/lib/server/platform/client-address"
import { parsePublicId } from "@/lib/server/platform/ids"
import { requireOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { ServiceError } from "@/lib/shared/errors"
import type { KeyRoute } from "@/lib/shared/keys/key-routes"
import { type Pico, usd12 } from "@/lib/shared/money"
import { FREE_BODY_BYTES } from "./body-budget"
import { type BodyCall, bodyRoute } from "./body-route"
import { keyOf, requireAllowedHere } from "./key-of"
import { readBody } from "./read-body"
import { setRateHeaders } from "./respond"
import type { Route } from "./route"

/** Above this multiple of its limit, a client's connection is closed after each response. */
const FAR_BEYOND = 10

/** What a decision or a batch needs of a request. */
type RouteCall = BodyCall<KnownKey, WindowState>

/** Decides what a request asks, charges it, and returns the JSON text of the 200. */
export type Run = (call: RouteCall, dialect: Dialect | null, priority?: Priority) => Promise<string>

interface DecisionRoute {
  path: string
  serve: Route["serve"]
  authenticate(request: IncomingMessage, earlier?: KnownKey): Promise<KnownKey>
  dialect?: Dialect | null
  run?: Run
  /** Counts a request in its windows. Those of the key and its account unless given. */
  countIn?(key: KnownKey, request: IncomingMessage): Promise<WindowState> | WindowState
  priority?: Priority
}

/** Creates a route that decides what its body asks, and charges the key of `authenticate`. */
export const decisionRoute = ({
  path,
  serve,
  authenticate,
  dialect = null,
  run = runDecision,
  countIn,
  priority,
}: DecisionRoute): Route =>
  bodyRoute({
    path,
    serve,
    errorBody: dialect?.errorBody,
    authenticate,
    count: async (key, response, record) => {
      record.payer = key
      const window = await (countIn ? countIn(key, response.req) : runtime().rates.count(key, key.perSecond))
      setRateHeaders(response, window)
      record.rates = { perSecond: key.perSecond, window }
      // A client that ignores every refusal has to pay for a new connection each time.
      if (window.used > FAR_BEYOND * window.limit) response.setHeader("connection", "close")
      return window
    },
    read: (source, reservation, { facts }) => timedStage(runtime(), facts, "read", () => readBody(source, reservation)),
    handle: (call) => run(call, dialect, priority),
  })

/** Returns what `decide` and `decideBatch` get. Named one by one: V8 copies the properties of `...call` in its slow runtime, at 2 % of a request. */
const decisionCall = (call: RouteCall, dialect: Dialect | null, priority?: Priority): DecisionCall => ({
  requestId: call.record.requestId,
  actor: call.caller,
  window: call.window,
  body: call.body,
  mediaFault: call.mediaFault,
  dialect,
  onlyModels: call.caller.models,
  staysOn: call.caller.staysOn,
  idempotencyKey: call.request.headers["idempotency-key"]?.toString(),
  tagHeader: call.request.headers["x-svc-tag"]?.toString(),
  keyTags: call.caller.tags,
  priority,
  startedAt: call.record.startedAt,
  authorize: call.authorize,
  signal: call.signal,
  facts: call.record.facts,
  onModel: (model) => {
    call.record.model = model
  },
  onMemory: call.onMemory,
  onCharge: call.onCharge,
})

/** Sets the headers of a 200. */
function setCharged(response: ServerResponse, costPico: Pico, isReplayed: boolean): void {
  if (response.headersSent) return
  response.setHeader("x-svc-cost-usd", usd12(costPico))
  if (isReplayed) response.setHeader("idempotent-replayed", "true")
}

/** Runs one decision, and sets the headers of its 200. */
export async function runDecision(call: RouteCall, dialect: Dialect | null, priority?: Priority): Promise<string> {
  const { json, tokens, costPico } = await decide(runtime(), decisionCall(call, dialect, priority))
  if (tokens !== null) call.record.tokens = tokens
  setCharged(call.response, costPico, tokens === null)
  return json
}

const runBatch =
  (readBatch: BatchCall["readBatch"], dialect: Dialect): Run =>
  async (call) => {
    const { caller, response, record } = call
    const { json, costPico, isReplayed } = await decideBatch(runtime(), {
      ...decisionCall(call, dialect),
      dialect,
      readBatch,
      onAdmitted: async (states) => {
        record.states = states
        if (states === 1) return
        const window = await runtime().rates.owe(caller, caller.perSecond, states - 1)
        if (!response.headersSent) setRateHeaders(response, window)
      },
      onState: (ended) => record.endState(ended),
    })
    setCharged(response, costPico, isReplayed)
    return json
  }

const ofApi = (path: KeyRoute, dialect: Dialect | null = null, run?: Run): Route =>
  decisionRoute({
    path,
    serve: "api",
    authenticate: (request) => keyOf(request, [path]),
    dialect,
    run,
  })

/** `POST /v1/decisions`: the API, charged to the key in `Authorization`. */
export const decisions = ofApi("/v1/decisions")

/** The same for clients of other APIs, such as `POST /v1/systemone`, and their batches (docs/decisions/0058). */
export const dialectRoutes = DIALECTS.flatMap((dialect) => {
  const { paths, batch } = dialect
  const single = paths.map((path) => ofApi(path, dialect))
  return batch ? [...single, ofApi(batch.path, dialect, runBatch(batch.readBody, dialect))] : single
})

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
  requireAllowedHere(key, ["console"], request)
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
      staysOn: (await findStay(runtime(), accountId))?.model ?? null,
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
