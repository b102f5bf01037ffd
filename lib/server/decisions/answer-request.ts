import { linkedTo } from "@/lib/server/engines/abort"
import { type Engine, needsCall, type TakePlace } from "@/lib/server/engines/engine"
import type { EngineHandle } from "@/lib/server/engines/engine-entry"
import type { ModelEngines } from "@/lib/server/engines/engine-group"
import type { Priority } from "@/lib/server/engines/fair-queue"
import { type TokenCount, totalTokens } from "@/lib/server/engines/token-count"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import type { Payer } from "@/lib/server/platform/actor"
import type { Authorize } from "@/lib/server/platform/authority"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { AnswerFacts, CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { cost, type Pico } from "@/lib/shared/money"
import { type RawAnswer, topProbability } from "@/questions/question-types"

/** For whom an answer is computed, and for how long. */
interface Asker {
  actor: Payer
  /** Called before each call to the engine, after the request has waited for its turn. Throws once the caller may no longer decide. */
  authorize: Authorize
  signal: AbortSignal
  priority?: Priority
  /** True for a state of a batch. */
  isOfBatch?: boolean
}

/** What the 200 says besides the answers and their tokens. */
export type KnownFacts = Pick<AnswerFacts, "requestId" | "provider"> & { pricePico: Pico }

/** The 200 body, and what it was made from. */
interface AnsweredRequest {
  json: string
  answers: RawAnswer[]
  tokens: number
  counted: TokenCount
  /** The time from when the request had its place until its answers came, in ms. */
  ranMs: number
}

/**
 * Returns the 200 body with its answers and tokens, in total and by part. `known` is needed for a request of another form than the contract's.
 * Throws when `call.signal` has aborted by then.
 */
export async function answerRequest(
  call: Asker,
  request: CheckedRequest,
  model: CatalogueModel,
  engines: ModelEngines,
  known?: KnownFacts,
): Promise<AnsweredRequest> {
  const { answers, counted, ranMs } = await answerBy(request, model, call, engines)
  const tokens = totalTokens(counted)
  const json = bodyOf(request, answers, model.id, tokens, known)
  call.signal.throwIfAborted()
  return { json, answers, tokens, counted, ranMs }
}

function bodyOf(
  request: CheckedRequest,
  answers: RawAnswer[],
  modelId: string,
  inputTokens: number,
  known?: KnownFacts,
): string {
  if (!request.form || !known) return renderAnswers(request, answers, modelId, inputTokens)
  const { pricePico, ...facts } = known
  return request.form.writeBody(request, answers, {
    ...facts,
    modelId,
    inputTokens,
    costPico: cost(inputTokens, pricePico),
  })
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

/** Returns the answers to all parts of a request, asked one after the other. */
async function answerParts(
  request: CheckedRequest,
  { limits }: CatalogueModel,
  ask: (part: CheckedRequest) => Promise<RawAnswer[]>,
): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (const part of partsOf(request, limits.maxQuestions)) answers.push(...(await ask(part)))
  return answers
}

type Answered = Pick<AnsweredRequest, "answers" | "counted" | "ranMs">

/**
 * Asks the engines of a model, and those of a cascade's big model about the answers of the small one that are not sure enough. The
 * input must fit into both, so that an input is refused whatever the small one answers. When the big one fails, the request fails.
 */
async function answerBy(
  request: CheckedRequest,
  model: CatalogueModel,
  call: Asker,
  engines: ModelEngines,
): Promise<Answered> {
  const { next } = engines
  const answerFirst = () => engines.withOne((engine) => answerAndCount(request, model, call, engine))
  if (!next) return answerFirst()
  const caller = { accountId: call.actor.accountId, authorize: call.authorize }
  await next.engines.withoutPlace((engine) => engine.check(request, call.signal, caller))
  const first = await answerFirst()
  const unsure = request.questions.filter((_, i) => {
    const answer = first.answers[i]
    return answer !== undefined && topProbability(answer) < next.below
  })
  const again =
    unsure.length > 0 ? await answerAgain(next.engines, { ...request, questions: unsure }, model, call) : NOTHING
  if (again.answers.length !== unsure.length) throw new ServiceError("upstream_error")
  next.answered(request.questions.length - unsure.length, unsure.length)
  const found = new Map(unsure.map((question, i) => [question, again.answers[i]]))
  const answers = request.questions.flatMap((question, i) => found.get(question) ?? first.answers[i] ?? [])
  return { answers, counted: first.counted, ranMs: first.ranMs + again.ranMs }
}

const NOTHING = { answers: [], ranMs: 0 }

/** Asks a cascade's big model. Its tokens are not billed, so they are not counted. */
function answerAgain(
  engines: ModelEngines,
  request: CheckedRequest,
  model: CatalogueModel,
  { actor, authorize, signal, priority, isOfBatch }: Asker,
): Promise<Omit<Answered, "counted">> {
  const { accountId } = actor
  const work = async (engine: Engine, take: TakePlace) => {
    await authorize()
    const startedAt = performance.now()
    const ask = (part: CheckedRequest) => engine.answer(part, signal, take, { accountId, authorize })
    return { answers: await answerParts(request, model, ask), ranMs: performance.now() - startedAt }
  }
  return engines.run(accountId, signal, work, { priority, isOfBatch })
}

/**
 * Requests answers and counts tokens concurrently, when the request has a place at the engine. When one fails, the other is aborted. The engine
 * checks the input before.
 */
async function answerAndCount(
  request: CheckedRequest,
  model: CatalogueModel,
  call: Asker,
  handle: EngineHandle,
): Promise<Answered> {
  const { authorize, priority, isOfBatch } = call
  const { accountId } = call.actor
  const caller = { accountId, authorize }
  const { controller, unlink } = linkedTo(call.signal)
  const both = controller.signal
  try {
    return await handle.withoutPlace(async (engine) => {
      await engine.check(request, both, caller)
      const work = async (_: Engine, take: TakePlace) => {
        await authorize()
        const startedAt = performance.now()
        const counting = Promise.resolve(engine.countTokens(request, both, caller))
        counting.catch((failure) => controller.abort(failure))
        const ask = (part: CheckedRequest) => engine.answer(part, both, take, caller)
        return { answers: await answerParts(request, model, ask), counting, ranMs: performance.now() - startedAt }
      }
      const options = { makesCalls: needsCall(request), priority, isOfBatch }
      const { answers, counting, ranMs } = await handle.run(accountId, both, work, options)
      return { answers, counted: await counting, ranMs }
    })
  } catch (failure) {
    controller.abort(failure)
    throw failure
  } finally {
    unlink()
  }
}
