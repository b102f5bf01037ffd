import { setMaxListeners } from "node:events"
import type { CheckedBatch } from "@/lib/server/dialects/checked-batch"
import type { Dialect } from "@/lib/server/dialects/dialect"
import type { IdempotencyKey, KeyedCharge } from "@/lib/server/ledger/idempotency-claims"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import { idOfPart } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { ReadBody } from "@/lib/shared/decisions/check-request"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import { JsonText } from "@/lib/shared/json/text"
import { type Pico, pico } from "@/lib/shared/money"
import { admit, answerAgain, answerAndCharge, type Decision, type DecisionCall, refusalError } from "./decide"
import { keyOfState, withBatchKey } from "./idempotency"
import { newFacts, type RequestFacts } from "./request-facts"

/** How the work on one state ended, for its log line. */
export interface EndedState {
  /** The UUID of the state's own request, which is also its hold's id. */
  requestId: string
  latencyMs: number
  /** The pinned model. */
  model: string
  /** The tokens that were charged. Null without a charge. */
  tokens: number | null
  facts: RequestFacts
  /** What ended a state without an answer: an error, or the reason of the abort. Null for an answer. */
  failure: unknown
}

export interface BatchCall extends DecisionCall {
  dialect: Dialect
  readBatch: ReadBody<CheckedBatch>
  /** Called once the batch passed the checks of the whole and of its `Idempotency-Key`, with the number of its states. */
  onAdmitted(states: number): Promise<void>
  onState(ended: EndedState): void
}

export interface BatchDecision {
  /** The 200 body, as JSON text. */
  json: string
  /** What was charged for all states. */
  costPico: Pico
  /** Whether an earlier request with the same `Idempotency-Key` was charged for a state. */
  isReplayed: boolean
}

interface Outcome {
  result: Decision | ServiceError
  /** The charge of the state, by this request or an earlier one with its `Idempotency-Key`. */
  charge: KeyedCharge | null
}

/**
 * Runs a batch: the checks of a request once, then each state as the request that `decide` knows, with a hold and a charge of its own.
 * The states' ids follow from the batch's. As many run at once as the model's engines have places for batches. Resolves when at least
 * one state was answered, otherwise rejects with the error of the first. When it settles, no state is at work any more.
 */
export async function decideBatch(runtime: Runtime, call: BatchCall): Promise<BatchDecision> {
  const { request: batch, model, key, tags } = await admit(runtime, call, call.readBatch)
  if (!key) return batchDecision(call, await runStates(runtime, call, { batch, model, key, tags, charged: [] }))
  const { outcomes } = await withBatchKey(runtime, key, call, batch.states.length, async (charged) => {
    const outcomes = await runStates(runtime, call, { batch, model, key, tags, charged })
    requireAnswer(outcomes)
    return { outcomes, charges: outcomes.map(({ charge }) => charge) }
  })
  return batchDecision(call, outcomes)
}

interface Work {
  batch: CheckedBatch
  model: CatalogueModel
  key: IdempotencyKey | null
  tags: readonly string[]
  /** By state: what an earlier request with the key was charged. */
  charged: (KeyedCharge | null)[]
}

/** Runs all states and returns their outcomes in order. A state that fails does not reject. */
async function runStates(runtime: Runtime, call: BatchCall, work: Work): Promise<Outcome[]> {
  const { states } = work.batch
  await call.onAdmitted(states.length)
  // Every state at work listens for its abort.
  setMaxListeners(0, call.signal)
  const outcomes: Outcome[] = []
  let next = 0
  const runOneByOne = async () => {
    while (next < states.length) {
      const position = next++
      outcomes[position] = await runState(runtime, call, work, position)
    }
  }
  const places = Math.min(states.length, runtime.engines.get(work.model.id)?.batchPlaces ?? 1)
  await Promise.all(Array.from({ length: places }, runOneByOne))
  return outcomes
}

async function runState(
  runtime: Runtime,
  call: BatchCall,
  { batch, model, key, tags, charged }: Work,
  position: number,
): Promise<Outcome> {
  const { actor, authorize, signal, onCharge } = call
  const requestId = idOfPart(call.requestId, position)
  const startedAt = performance.now()
  const earlier = charged[position] ?? null
  const facts = { ...newFacts(), alias: call.facts?.alias ?? null }
  const ended = { model: earlier?.model ?? model.id, tokens: null as number | null, failure: null as unknown }
  let outcome: Outcome
  try {
    signal.throwIfAborted()
    const state = batch.states[position]
    if (!(state instanceof JsonText)) throw state ? refusalError(runtime.env, state) : new Error("a state is missing")
    const request = { model: batch.model, questions: batch.questions, clientNames: batch.clientNames, state }
    const one = { requestId, actor, startedAt, authorize, signal, facts, onCharge, isOfBatch: true, onModel: () => {} }
    const result = earlier
      ? await answerAgain(runtime, one, request, earlier.model)
      : await answerAndCharge(runtime, one, { request, model, tags }, key && keyOfState(key, position))
    ended.tokens = result.tokens
    outcome = { result, charge: earlier ?? { holdId: requestId, model: model.id } }
  } catch (failure) {
    ended.failure = failure
    outcome = { result: toServiceError(failure), charge: earlier }
  }
  call.onState({ requestId, latencyMs: Math.round(performance.now() - startedAt), facts, ...ended })
  return outcome
}

/** Throws the error of the first state when no state was answered. */
function requireAnswer(outcomes: Outcome[]): void {
  const [first] = outcomes
  if (first?.result instanceof ServiceError && outcomes.every(({ result }) => result instanceof ServiceError))
    throw first.result
}

function batchDecision({ dialect }: BatchCall, outcomes: Outcome[]): BatchDecision {
  requireAnswer(outcomes)
  const results = outcomes.map(({ result }) =>
    result instanceof ServiceError ? JSON.stringify(dialect.errorBody(result)) : result.json,
  )
  const costPico = outcomes.reduce(
    (sum, { result }) => (result instanceof ServiceError ? sum : sum + result.costPico),
    0n,
  )
  const isReplayed = outcomes.some(({ result }) => !(result instanceof ServiceError) && result.tokens === null)
  return { json: `{"results":[${results.join(",")}]}`, costPico: pico(costPico), isReplayed }
}
