import type { Dialect } from "@/lib/server/dialects/dialect"
import type { Priority } from "@/lib/server/engines/fair-queue"
import { charge } from "@/lib/server/ledger/charge"
import { releaseHold } from "@/lib/server/ledger/hold"
import type { IdempotencyKey } from "@/lib/server/ledger/idempotency-claims"
import type { WindowState } from "@/lib/server/limits/windows"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import type { Payer } from "@/lib/server/platform/actor"
import type { Authorize } from "@/lib/server/platform/authority"
import type { Env } from "@/lib/server/platform/env"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type CheckedRequest, type ReadBody, requestOf } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { cost, type Pico, pico } from "@/lib/shared/money"
import { joinedTags, parseTags, TAG_HEADER, TAGS_RULE } from "@/lib/shared/tags/tags"
import type { Refusal } from "@/questions/check-fields"
import { countByType } from "@/questions/question-types"
import { type Asked, admitModel, resolveModel, withOwnId } from "./admit-model"
import { answerRequest, type KnownFacts } from "./answer-request"
import { hashKey, requireWellFormed, withKey } from "./idempotency"
import { noteTokens, type RequestFacts, shapeOf, timedStage } from "./request-facts"
import { reserve } from "./reserve"

export interface DecisionCall {
  /** The request's UUID, which is also its hold's id. */
  requestId: string
  actor: Payer
  /** The request's position in its rate windows, counted when its key was accepted. */
  window: WindowState
  body: Buffer
  /** Why the headers alone refuse the body, as a message; null for JSON. */
  mediaFault: string | null
  /** The dialect of the body; null for spec.md's own form. */
  dialect?: Dialect | null
  /** The models that the key is restricted to; empty for all. */
  onlyModels?: readonly string[]
  /** The earlier model with which the alias answers the account; null for its own. */
  staysOn?: string | null
  /** The value of the `Idempotency-Key` header, checked here. */
  idempotencyKey?: string
  /** The value of the `X-Svc-Tag` header, checked here, and the tags of the key. */
  tagHeader?: string
  keyTags?: readonly string[]
  /** Its place in the engine's queue. Normal unless given. */
  priority?: Priority
  /** `performance.now()` when the request arrived. */
  startedAt: number
  /** Called before each call to the engine, after the request has waited for its turn. Throws once the caller may no longer decide. */
  authorize: Authorize
  /** Aborts at a deadline or a shutdown, with the error to respond with, or when the client disconnects, with `ClientGone`. */
  signal: AbortSignal
  /** Receives what is noted of the request. */
  facts?: RequestFacts
  /** Receives the pinned model as soon as it is known, for the log. */
  onModel(modelId: string): void
  /** Receives the memory of a large body. The caller frees it after the response. */
  onMemory?(memory: Uint8Array): void
  /** Called before the charge begins. From then on, only the outcome of the charge may be sent. */
  onCharge(): void
}

export interface Decision {
  /** The 200 body, as JSON text. */
  json: string
  /** What was charged: zero for an answer that was computed again. */
  costPico: Pico
  /** The tokens that were charged. Null for an answer that was computed again for a charge of the same `Idempotency-Key`. */
  tokens: number | null
}

/** The call of one request, after its admission. */
export type AdmittedCall = Pick<
  DecisionCall,
  "requestId" | "actor" | "priority" | "startedAt" | "authorize" | "signal" | "facts" | "onModel" | "onCharge"
> & {
  /** True for a state of a batch. */
  isOfBatch?: boolean
}

/** A request after all checks of its shape and model. */
interface Admitted<Request> {
  request: Request
  model: CatalogueModel
  /** Those of the request and of its key. */
  tags: readonly string[]
}

/**
 * Runs one decision of the API or the playground: steps 3 to 8 of the order of checks in spec.md, then the charge.
 * Resolves only after the charge, which may be shortly after `signal` aborts: do not respond before this promise
 * settles. When it rejects, the hold is released, and a charge whose reply was lost is reversed later (see `charge`).
 */
export async function decide(runtime: Runtime, call: DecisionCall): Promise<Decision> {
  const { key, ...admitted } = await admit(runtime, call, call.dialect?.readBody ?? requestOf)
  if (!key) return answerAndCharge(runtime, call, admitted, null)
  return withKey(runtime, key, call, (chargedModel) =>
    chargedModel === null
      ? answerAndCharge(runtime, call, admitted, key)
      : answerAgain(runtime, call, admitted.request, chargedModel),
  )
}

/** Performs steps 3 to 5 of the order of checks, for a body that `form` reads. */
export async function admit<Request extends Asked>(
  runtime: Runtime,
  call: DecisionCall,
  form: ReadBody<Request>,
): Promise<Admitted<Request> & { key: IdempotencyKey | null }> {
  // A large body is moved to a worker and is empty afterwards.
  const bodyBytes = call.body.length
  const hashed = await hashKey(runtime, call.idempotencyKey, call.actor, call.body)
  const request = await timedStage(runtime, call.facts, "check", () => readBody(runtime, call, form))
  const key = requireWellFormed(hashed)
  const tags = requestTags(call)
  if (call.facts) call.facts.shape = shapeOf(bodyBytes, request.questions)
  const model = admitModel(runtime, request, bodyBytes, call)
  call.onModel(model.id)
  if (call.facts && request.model !== model.id) call.facts.alias = request.model
  const { exceeded, resetSeconds: retryAfterSeconds, retryAfterMs } = call.window
  if (exceeded) throw new ServiceError("rate_limited", { retryAfterSeconds, retryAfterMs })
  return { request, model, key, tags }
}

/** Returns the tags of a request and of its key. Throws `invalid_request` for a malformed header. */
function requestTags({ tagHeader, keyTags = [] }: DecisionCall): readonly string[] {
  if (tagHeader === undefined) return keyTags
  const own = parseTags(tagHeader)
  if (!own) throw new ServiceError("invalid_request", { param: TAG_HEADER, message: TAGS_RULE })
  return joinedTags(keyTags, own)
}

/** Performs steps 6 to 8 of the order of checks, then the charge. */
export async function answerAndCharge(
  runtime: Runtime,
  call: AdmittedCall,
  { request, model, tags }: Admitted<CheckedRequest>,
  key: IdempotencyKey | null,
): Promise<Decision> {
  const { engines, aliasUses, shadows } = runtime
  const handle = engines.get(model.id)
  const { pricePico } = model
  if (!handle || pricePico === null) throw new ServiceError("model_unavailable")
  await reserve(runtime, call, request, { model, pricePico, engines: handle, key, tags })
  const placed = { id: call.requestId, accountId: call.actor.accountId }
  const answered = await timedStage(runtime, call.facts, "engine", async () => {
    const made = await answerRequest(call, request, model, handle, factsOf(runtime, call, pricePico))
    call.onCharge()
    return made
  }).catch(async (error) => {
    await releaseHold(runtime, placed)
    throw call.signal.aborted ? call.signal.reason : error
  })
  const { json, tokens, counted } = answered
  noteTokens(call.facts, counted)
  const latencyMs = Math.round(performance.now() - call.startedAt)
  const facts = { tokens, latencyMs, questionCounts: countByType(request.questions) }
  await timedStage(runtime, call.facts, "capture", () => charge(runtime, placed, facts, call.signal, key))
  if (request.model !== model.id) {
    aliasUses.used(call.actor.accountId)
    shadows.offer(runtime, call, request, { ...answered, modelId: model.id })
  }
  return { json, tokens, costPico: cost(tokens, pricePico) }
}

const factsOf = ({ env }: Runtime, { requestId }: AdmittedCall, pricePico: Pico): KnownFacts => ({
  requestId: publicId("req", requestId),
  provider: env.SERVICE_NAME,
  pricePico,
})

/** Answers a request whose `Idempotency-Key` was charged, by the pinned model of that charge. Charges nothing. */
export async function answerAgain(
  runtime: Runtime,
  call: AdmittedCall,
  request: CheckedRequest,
  chargedModel: string,
): Promise<Decision> {
  const model = resolveModel(runtime, chargedModel)
  call.onModel(model.id)
  const handle = runtime.engines.get(model.id)
  if (!handle) throw new ServiceError("model_unavailable")
  const facts = factsOf(runtime, call, pico(0))
  const { json } = await runtime.metrics.timed("engine", () => answerRequest(call, request, model, handle, facts))
  return { json, tokens: null, costPico: pico(0) }
}

/** Performs step 3 of the order of checks: shape and global limits. Throws `invalid_request`. Empties a large body. */
export const readRequest = (
  runtime: Runtime,
  call: Pick<DecisionCall, "body" | "mediaFault" | "onMemory">,
): Promise<CheckedRequest> => readBody(runtime, call, requestOf)

async function readBody<Request extends Asked>(
  { reader, catalogue, env }: Runtime,
  { body, mediaFault, dialect, onMemory }: Pick<DecisionCall, "body" | "mediaFault" | "dialect" | "onMemory">,
  form: ReadBody<Request>,
): Promise<Request> {
  if (mediaFault !== null) throw new ServiceError("invalid_request", { param: "body", message: mediaFault })
  const checked = await reader.read(body, onMemory, form)
  if (!checked.ok) throw refusalError(env, checked)
  return dialect ? withOwnId(catalogue, dialect, checked.request) : checked.request
}

/** Returns the error of a refused body or state. */
export function refusalError({ CONSOLE_URL }: Pick<Env, "CONSOLE_URL">, refusal: Refusal): ServiceError {
  const { path, message, docsPage } = refusal
  const link = docsPage ? ` See ${CONSOLE_URL}/docs/${docsPage}.` : ""
  return new ServiceError("invalid_request", { path, message: message + link })
}
