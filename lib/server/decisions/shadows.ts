import type { CatalogueModel, RunningShadow } from "@/lib/server/models/catalogue"
import { authorizing, type Verified } from "@/lib/server/platform/authority"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ShadowBudgets } from "@/lib/server/shadows/shadow-budgets"
import { ShadowFigures } from "@/lib/server/shadows/shadow-figures"
import { type CheckedRequest, checkModelLimits } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { cost, type Pico, pico } from "@/lib/shared/money"
import { compareAnswers } from "@/lib/shared/shadows/compare-answers"
import { CEILINGS } from "@/questions/limits"
import { questionTexts, type RawAnswer } from "@/questions/question-types"
import { answerRequest } from "./answer-request"
import type { AdmittedCall } from "./decide"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    shadows: Shadows
  }
}

/** Requests that wait for a candidate or are asked of one. With `MAX_BYTES`, a process holds at most 16 MiB of bodies for them. */
const MAX_IN_FLIGHT = 64
/** The most memory that the texts of one request may hold. Larger bodies are freed with their response. */
const MAX_BYTES = 256 * 1024
/** As long as a request of a client may take. */
const LIMIT_MS = 90_000

/** What the alias's own model answered. */
export interface ServedAnswer {
  /** Its pinned id. */
  modelId: string
  answers: RawAnswer[]
  tokens: number
  /** The time that the model took, without waiting for a place. */
  ranMs: number
}

/** Thrown when the account refuses shadows, the caller's authority or the shadow has ended, or that cannot be checked, and when the process stops. */
class NotWanted extends Error {}

interface Offered {
  call: AdmittedCall
  request: CheckedRequest
  served: ServedAnswer
  shadow: RunningShadow
  candidate: CatalogueModel
}

const WANTED = `
  SELECT FROM shadow s WHERE id = $1 AND ended_at IS NULL
    AND NOT EXISTS (SELECT FROM shadow_refusal r WHERE r.account_id = $2)`

/** Throws `NotWanted` when the shadow has ended, or the account refuses shadows. */
async function requireWanted({ pool }: Runtime, shadowId: string, accountId: string): Promise<Verified> {
  const verifiedAt = performance.now()
  const { rowCount } = await pool.query({ name: "shadow-wanted", text: WANTED, values: [shadowId, accountId] })
  if (rowCount === 0) throw new NotWanted()
  return { accountId, verifiedAt }
}

/** Returns how many bytes of memory a request holds; null once any of them was freed. */
function heldBytes(request: CheckedRequest): number | null {
  const texts = [request.state, ...request.questions.flatMap(questionTexts)]
  const buffers = new Set(texts.flatMap((text) => (typeof text === "string" ? [] : [text.source.buffer])))
  let bytes = 0
  for (const { byteLength } of buffers) {
    if (byteLength === 0) return null
    bytes += byteLength
  }
  return bytes
}

/**
 * Asks candidates what requests to an alias asked its own model, after those were answered and charged. Nothing of it changes or delays
 * an answer, and nothing is charged. Only numbers leave the memory of this process.
 */
export class Shadows {
  readonly figures = new ShadowFigures()
  readonly #budgets = new ShadowBudgets()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  get inFlight(): number {
    return this.#inFlight.size
  }

  /**
   * Chooses whether the candidate of the alias's shadow is asked too. Returns at once: it is asked after the response, or for a state of
   * a batch after its charge.
   */
  offer(runtime: Runtime, call: AdmittedCall, request: CheckedRequest, served: ServedAnswer): void {
    const shadow = runtime.catalogue.find(request.model)?.shadow
    // The alias may have moved while the request ran, or by a process of an earlier version, which ends no shadow.
    if (!shadow || shadow.fromId !== served.modelId) return
    if (Math.random() >= shadow.share || this.#stopping.signal.aborted) return
    const candidate = runtime.catalogue.find(shadow.toId)
    if (!candidate) return
    if (this.#inFlight.size >= MAX_IN_FLIGHT) {
      this.figures.skipped(shadow.id)
      return
    }
    // The candidate may count other tokens. Until it has, those of the answer are expected.
    const expectedPico = cost(served.tokens, candidate.pricePico ?? pico(0))
    if (!this.#budgets.reserve(shadow, expectedPico)) return
    const offered = { call, request, served, shadow, candidate }
    const asking = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.#ask(runtime, offered))
      .then((costPico) => this.#budgets.settle(shadow.id, expectedPico, costPico))
      .finally(() => this.#inFlight.delete(asking))
    this.#inFlight.add(asking)
  }

  /** Adds the figures of this process to the database. */
  async save(runtime: Runtime): Promise<void> {
    this.#budgets.saved(await this.figures.save(runtime))
  }

  /** Gives up what is in flight, and saves the figures. */
  async close(runtime: Runtime): Promise<void> {
    this.#stopping.abort(new NotWanted())
    await Promise.all(this.#inFlight)
    await this.save(runtime)
  }

  /** Asks the candidate, and notes how it compares. Returns what its answers cost at its price. */
  async #ask(runtime: Runtime, { call, request, served, shadow, candidate }: Offered): Promise<Pico> {
    const { accountId } = call.actor
    const bytes = heldBytes(request)
    if (bytes === null || bytes > MAX_BYTES) {
      this.figures.skipped(shadow.id)
      return pico(0)
    }
    try {
      const { answers, tokens, ranMs } = await this.#answers(runtime, { call, request, shadow, candidate })
      const costPico = cost(tokens, candidate.pricePico ?? pico(0))
      const comparisons = answers.map((answer, i) => compareAnswers(served.answers[i] ?? answer, answer))
      const [servedMs, candidateMs] = [served.ranMs, ranMs]
      this.figures.answered(shadow.id, accountId, { comparisons, tokens, costPico, servedMs, candidateMs })
      return costPico
    } catch (thrown) {
      this.#noteFailure(shadow.id, accountId, thrown)
      return pico(0)
    }
  }

  async #answers(runtime: Runtime, { call, request, shadow, candidate }: Omit<Offered, "served">) {
    const { actor } = call
    const engines = runtime.engines.get(candidate.id)
    const wanted = authorizing({ accountId: actor.accountId, verifiedAt: Number.NEGATIVE_INFINITY }, () =>
      requireWanted(runtime, shadow.id, actor.accountId),
    )
    const authorize = async () => {
      try {
        await call.authorize()
        await wanted()
      } catch {
        throw new NotWanted()
      }
    }
    // Before all else: nothing is noted of an account that refuses, and counting tokens may send texts to the engine.
    await authorize()
    // Clients of dialects do not read how many questions a model takes, and all parts of a request are compared alike.
    const violation = checkModelLimits(request, { ...candidate.limits, maxQuestions: CEILINGS.questions })
    if (violation || !engines) throw new ServiceError("model_unavailable")
    const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), this.#stopping.signal])
    return answerRequest({ actor, authorize, signal, priority: "background" }, request, candidate, engines)
  }

  #noteFailure(shadowId: string, accountId: string, thrown: unknown): void {
    if (thrown instanceof NotWanted) return
    if (thrown instanceof ServiceError && thrown.code === "capacity_exceeded") this.figures.skipped(shadowId)
    else this.figures.failed(shadowId, accountId)
  }
}
