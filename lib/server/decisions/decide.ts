import { topupUrl } from "@/lib/server/billing/topup-terms"
import type { Dialect } from "@/lib/server/dialects/dialect"
import { linkedTo } from "@/lib/server/engines/abort"
import { type Engine, needsCall, type TakePlace } from "@/lib/server/engines/engine"
import type { EngineHandle } from "@/lib/server/engines/engine-entry"
import type { ModelEngines } from "@/lib/server/engines/engine-group"
import type { Priority } from "@/lib/server/engines/fair-queue"
import { totalTokens } from "@/lib/server/engines/token-count"
import { charge } from "@/lib/server/ledger/charge"
import type { HoldOutcome, HoldRequest } from "@/lib/server/ledger/held-request"
import { placeHold, releaseHold } from "@/lib/server/ledger/hold"
import type { IdempotencyKey } from "@/lib/server/ledger/idempotency-claims"
import type { WindowState } from "@/lib/server/limits/windows"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import type { Payer } from "@/lib/server/platform/actor"
import type { Authorize } from "@/lib/server/platform/authority"
import type { Runtime } from "@/lib/server/platform/runtime"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { cost, pico, reservedTokens, usd6Ceil, usd6Floor, usd12 } from "@/lib/shared/money"
import { countByType, type RawAnswer } from "@/questions/question-types"
import { admitModel, resolveModel, withOwnId } from "./admit-model"
import { hashKey, requireWellFormed, withKey } from "./idempotency"

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
  /** The value of the `Idempotency-Key` header, checked here. */
  idempotencyKey?: string
  /** Its place in the engine's queue. Normal unless given. */
  priority?: Priority
  /** `performance.now()` when the request arrived. */
  startedAt: number
  /** Called before each call to the engine, after the request has waited for its turn. Throws once the caller may no longer decide. */
  authorize: Authorize
  /** Aborts at a deadline or a shutdown, with the error to respond with, or when the client disconnects, with `ClientGone`. */
  signal: AbortSignal
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
  /** What was charged, as exact USD text: zero for an answer that was computed again. */
  costUsd: string
  /** The tokens that were charged. Null for an answer that was computed again for a charge of the same `Idempotency-Key`. */
  tokens: number | null
}

/** A request after all checks of its shape and model. */
interface Admitted {
  request: CheckedRequest
  model: CatalogueModel
}

/**
 * Runs one decision of the API or the playground: steps 3 to 8 of the order of checks in spec.md, then the charge.
 * Resolves only after the charge, which may be shortly after `signal` aborts: do not respond before this promise
 * settles. When it rejects, the hold is released, and a charge whose reply was lost is reversed later (see `charge`).
 */
export async function decide(runtime: Runtime, call: DecisionCall): Promise<Decision> {
  const { metrics } = runtime
  // A large body is moved to a worker and is empty afterwards.
  const bodyBytes = call.body.length
  const hashed = await hashKey(runtime, call.idempotencyKey, call.actor, call.body)
  const request = await metrics.timed("check", () => readRequest(runtime, call))
  const key = requireWellFormed(hashed)
  const model = admitModel(runtime, request, bodyBytes, call.dialect)
  call.onModel(model.id)
  const { exceeded, resetSeconds: retryAfterSeconds, retryAfterMs } = call.window
  if (exceeded) throw new ServiceError("rate_limited", { retryAfterSeconds, retryAfterMs })
  if (!key) return answerAndCharge(runtime, call, { request, model }, null)
  return withKey(runtime, key, call, (chargedModel) =>
    chargedModel === null
      ? answerAndCharge(runtime, call, { request, model }, key)
      : answerAgain(runtime, call, { request, model: resolveModel(runtime, chargedModel) }),
  )
}

async function answerAndCharge(
  runtime: Runtime,
  call: DecisionCall,
  { request, model }: Admitted,
  key: IdempotencyKey | null,
): Promise<Decision> {
  const { metrics, engines, aliasUses } = runtime
  const handle = engines.get(model.id)
  if (!handle || model.pricePico === null) throw new ServiceError("model_unavailable")
  const { requestId: id, actor } = call
  const hold = { id, actor, modelId: model.id, pricePico: model.pricePico, isKeyed: key !== null }
  const maxTokens = reservedTokens(await maxTokensOf(runtime, call, request, handle, hold), model.pricePico)
  requireHeld(runtime, await metrics.timed("hold", () => placeHold(runtime, { ...hold, maxTokens }, call.signal)))
  const placed = { id: call.requestId, accountId: call.actor.accountId }
  const answered = await metrics
    .timed("engine", async () => {
      const made = await answer(call, request, model, handle)
      call.onCharge()
      return made
    })
    .catch(async (error) => {
      await releaseHold(runtime, placed)
      throw call.signal.aborted ? call.signal.reason : error
    })
  const { json, tokens } = answered
  const latencyMs = Math.round(performance.now() - call.startedAt)
  const facts = { tokens, latencyMs, questionCounts: countByType(request.questions) }
  await metrics.timed("capture", () => charge(runtime, placed, facts, call.signal, key))
  if (request.model !== model.id) aliasUses.used(call.actor.accountId)
  return { json, tokens, costUsd: usd12(cost(tokens, model.pricePico)) }
}

/**
 * Returns the tokens to hold. Some engines have to count them first. The end of authority and steps 6 and 7 come before an error of
 * that count, so it is thrown only if a hold of one token is possible.
 */
async function maxTokensOf(
  runtime: Runtime,
  { signal, actor, authorize }: DecisionCall,
  request: CheckedRequest,
  engines: ModelEngines,
  hold: Omit<HoldRequest, "maxTokens">,
): Promise<number> {
  try {
    return await engines.withoutPlace((engine) =>
      engine.maxTokens(request, signal, { accountId: actor.accountId, authorize }),
    )
  } catch (failure) {
    signal.throwIfAborted()
    await authorize()
    requireHeld(runtime, await placeHold(runtime, { ...hold, maxTokens: 1 }, signal))
    await releaseHold(runtime, { id: hold.id, accountId: actor.accountId })
    throw failure
  }
}

/** Answers a request whose `Idempotency-Key` was charged, by the pinned model of that charge. Charges nothing. */
async function answerAgain(
  { metrics, engines }: Runtime,
  call: DecisionCall,
  { request, model }: Admitted,
): Promise<Decision> {
  call.onModel(model.id)
  const handle = engines.get(model.id)
  if (!handle) throw new ServiceError("model_unavailable")
  const { json } = await metrics.timed("engine", () => answer(call, request, model, handle))
  return { json, tokens: null, costUsd: usd12(pico(0)) }
}

/** Performs step 3 of the order of checks: shape and global limits. Throws `invalid_request`. Empties a large body. */
export async function readRequest(
  { reader, env, catalogue }: Runtime,
  { body, mediaFault, dialect, onMemory }: Pick<DecisionCall, "body" | "mediaFault" | "dialect" | "onMemory">,
): Promise<CheckedRequest> {
  if (mediaFault !== null) throw new ServiceError("invalid_request", { param: "body", message: mediaFault })
  const checked = await reader.read(body, onMemory, dialect?.readBody)
  if (checked.ok) return dialect ? withOwnId(catalogue, dialect, checked.request) : checked.request
  const { path, message, docsPage } = checked
  const link = docsPage ? ` See ${env.CONSOLE_URL}/docs/${docsPage}.` : ""
  throw new ServiceError("invalid_request", { path, message: message + link })
}

/**
 * Performs steps 6 and 7 of the order of checks: throws `invalid_api_key`, `key_limit_reached` or
 * `insufficient_balance` for a refused hold.
 */
function requireHeld({ env }: Runtime, hold: HoldOutcome): void {
  switch (hold.outcome) {
    case "held":
      return
    case "revoked":
    case "expired_key":
      throw new ServiceError("invalid_api_key")
    case "key_limit":
      throw new ServiceError("key_limit_reached", {
        extra: { limit_usd: usd6Floor(hold.limitPico), resets_at: hold.resetsAt?.toISOString() ?? null },
      })
    case "insufficient":
      throw new ServiceError("insufficient_balance", {
        extra: {
          required_usd: usd6Ceil(hold.requiredPico),
          available_usd: usd6Floor(hold.availablePico),
          topup_url: topupUrl(env, hold.requiredPico, hold.availablePico),
        },
      })
  }
}

/** Returns the 200 body and its tokens. Throws when `call.signal` has aborted by then. */
async function answer(
  call: DecisionCall,
  request: CheckedRequest,
  model: CatalogueModel,
  engines: ModelEngines,
): Promise<{ json: string; tokens: number }> {
  const { answers, counted } = await engines.withOne((engine) => answerAndCount(request, model, call, engine))
  const tokens = totalTokens(counted)
  const json = renderAnswers(request, answers, model.id, tokens)
  call.signal.throwIfAborted()
  return { json, tokens }
}

/** Returns the request in parts of as many questions as its model takes. Only dialects allow more of them. */
function partsOf(request: CheckedRequest, maxQuestions: number): CheckedRequest[] {
  const { questions } = request
  if (questions.length <= maxQuestions) return [request]
  const count = Math.ceil(questions.length / maxQuestions)
  return Array.from({ length: count }, (_, i) => ({
    ...request,
    questions: questions.slice(i * maxQuestions, (i + 1) * maxQuestions),
  }))
}

/**
 * Requests answers and counts tokens concurrently, when the request has a place at the engine. When one fails, the other is aborted. The engine
 * checks the input before.
 */
async function answerAndCount(
  request: CheckedRequest,
  { limits }: CatalogueModel,
  call: DecisionCall,
  handle: EngineHandle,
) {
  const { authorize, priority } = call
  const { accountId } = call.actor
  const caller = { accountId, authorize }
  const { controller, unlink } = linkedTo(call.signal)
  const both = controller.signal
  try {
    return await handle.withoutPlace(async (engine) => {
      await engine.check(request, both, caller)
      const work = async (_: Engine, take: TakePlace) => {
        await authorize()
        const counting = Promise.resolve(engine.countTokens(request, both, caller))
        counting.catch((failure) => controller.abort(failure))
        const answers: RawAnswer[] = []
        for (const part of partsOf(request, limits.maxQuestions))
          answers.push(...(await engine.answer(part, both, take, caller)))
        return { answers, counting }
      }
      const { answers, counting } = await handle.run(accountId, both, work, {
        makesCalls: needsCall(request),
        priority,
      })
      return { answers, counted: await counting }
    })
  } catch (failure) {
    controller.abort(failure)
    throw failure
  } finally {
    unlink()
  }
}
