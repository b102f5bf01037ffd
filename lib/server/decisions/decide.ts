import { linkedTo } from "@/lib/server/engines/abort"
import type { Engine, TakePlace } from "@/lib/server/engines/engine"
import type { EngineHandle } from "@/lib/server/engines/engines"
import { totalTokens } from "@/lib/server/engines/token-count"
import type { ChargeFacts } from "@/lib/server/ledger/resolve-hold"
import type { WindowState } from "@/lib/server/limits/windows"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import type { Payer } from "@/lib/server/platform/payer"
import { runtime } from "@/lib/server/platform/runtime"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check"
import { ServiceError } from "@/lib/shared/errors"
import { admitModel } from "./admit-model"
import { charge } from "./charge"
import { letGo } from "./let-go"
import { setAside } from "./set-aside"

export interface DecisionCall {
  /** The request's UUID: its hold's id too. */
  requestId: string
  actor: Payer
  /** Where the request stands in its rate windows, counted when its key was accepted. */
  window: WindowState
  body: Buffer
  /** False when `Content-Type` or `Content-Encoding` is not what the endpoint takes. */
  isPlainJson: boolean
  /** `performance.now()` when the request arrived. */
  startedAt: number
  /** Aborts with the reason to end with: deadline, stop, or a client that went away. */
  signal: AbortSignal
  /** Told the pinned model as soon as it is known, for the log. */
  onModel(modelId: string): void
  /** Told before the charge begins: from here only its outcome may be answered. */
  onCharge(): void
}

export interface Decision {
  /** The 200 body, as JSON text. */
  json: string
  tokens: number
}

/**
 * One decision, whichever door it came through: steps 3 to 8 of spec.md's order of checks, then the charge. Resolves only
 * after its capture, which may be a little after `signal` aborts: do not answer before it settles. Whatever else happens,
 * the hold is let go, nothing is charged and a `ServiceError` of the spec's table is thrown.
 */
export async function decide(call: DecisionCall): Promise<Decision> {
  // Reading a large body moves it to a worker: its length is known only before.
  const bodyBytes = call.body.length
  const { metrics } = runtime()
  const request = await metrics.timed("check", () => readRequest(call))
  const model = admitModel(request, bodyBytes)
  call.onModel(model.id)
  if (call.window.exceeded) throw new ServiceError("rate_limited", { retryAfterSeconds: call.window.resetSeconds })
  const handle = runtime().engines.get(model.id)
  if (!handle || model.pricePico === null) throw new ServiceError("model_unavailable")
  const maxTokens = await handle.engine.mostTokens(request, call.signal)
  const hold = { id: call.requestId, actor: call.actor, modelId: model.id, pricePico: model.pricePico, maxTokens }
  await metrics.timed("hold", () => setAside(hold, call.signal))
  const answered = await metrics
    .timed("engine", () => answer(call, request, model, handle))
    .catch(async (error) => {
      await letGo(call.requestId)
      throw call.signal.aborted ? call.signal.reason : error
    })
  await metrics.timed("capture", () => charge(call.requestId, answered.facts, call.signal))
  return { json: answered.json, tokens: answered.facts.tokens }
}

/** Step 3 of spec.md's order of checks: shape and global limits. Empties a large body. */
export async function readRequest({
  body,
  isPlainJson,
}: Pick<DecisionCall, "body" | "isPlainJson">): Promise<CheckedRequest> {
  if (!isPlainJson)
    throw new ServiceError("invalid_request", {
      param: "body",
      message: "Send application/json without a Content-Encoding.",
    })
  const checked = await runtime().reader.read(body)
  if (!checked.ok) throw new ServiceError("invalid_request", { param: checked.param, message: checked.message })
  return checked.request
}

async function answer(
  call: DecisionCall,
  request: CheckedRequest,
  model: CatalogueModel,
  handle: EngineHandle,
): Promise<{ json: string; facts: ChargeFacts }> {
  const [answers, counted] = await handle.run(call.actor.accountId, call.signal, (engine, take) =>
    answerAndCount(engine, request, call.signal, take),
  )
  const tokens = totalTokens(counted)
  const json = renderAnswers(request, answers, model.id, tokens)
  call.signal.throwIfAborted()
  call.onCharge()
  const count = (type: string) => request.questions.filter((question) => question.type === type).length
  const latencyMs = Math.round(performance.now() - call.startedAt)
  return { json, facts: { tokens, latencyMs, nouls: count("noul"), choices: count("choice"), scores: count("score") } }
}

/** Asks for answers and tokens side by side; when one fails, the other is not left running on the engine. */
async function answerAndCount(engine: Engine, request: CheckedRequest, signal: AbortSignal, take: TakePlace) {
  const { controller, unlink } = linkedTo(signal)
  const both = controller.signal
  try {
    return await Promise.all([engine.answer(request, both, take), engine.countTokens(request, both)])
  } catch (failure) {
    controller.abort(failure)
    throw failure
  } finally {
    unlink()
  }
}
