import { setMaxListeners } from "node:events"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { type CheckedQuestion, questionTexts, type RawAnswer, typeOf } from "@/questions/question-types"
import { linkedTo } from "../abort"
import type { Engine, ProbeResult, TakePlace } from "../engine"
import { FIXED_PROMPT_TOKENS, longestInput } from "../input-limit"
import { quarterTokens, textBytes } from "../texts"
import { type TokenCount, totalTokens } from "../token-count"
import type { Tokenizers } from "../tokenizer/tokenizers"
import { Questioning } from "./ask"
import { CallPlaces } from "./call-places"
import { counterFor } from "./counter-for"
import { tooLong } from "./failures"
import { probeSystemOne } from "./probe"
import { LLAMA_CPP, type Profile } from "./profile"
import type { TokenCounter } from "./token-counter"
import { Transport } from "./transport"

export interface SystemOneSettings {
  /** The address before `/v1`. */
  url: string
  /** The name the engine serves the model under; null for the only one it serves. */
  model: string | null
  /** How tokens are counted (`counterFor`). */
  tokenizer: string | null
  /** Where a tokenizer of this service's own comes from. */
  tokenizers?: Tokenizers
  apiKey: string | null
  /** The most tokens that state, one question and the fixed prompt may have together; null: what the engine takes. */
  inputLimit?: number | null
}

/** A state of so many bytes is read by one question first, where there are several: about a thousand tokens. */
const LONG_STATE_BYTES = 4_096
/** Two texts side by side may share a token, so an engine may read a little less than their counts add up to. */
const SHARED_TOKENS = 2

const NO_MORE_PLACES: TakePlace = () => null

/** The most tokens that the state and one question can have. */
const bytesOf = (state: CheckedRequest["state"], question: CheckedQuestion): number =>
  questionTexts(question).reduce((sum, text) => sum + textBytes(text) + 1, textBytes(state) + 1)

/** An engine that speaks `POST {url}/v1/systemone`, whichever of its families it is: the probe finds out. */
export class SystemOneEngine implements Engine {
  readonly #transport: Transport
  readonly #counter: TokenCounter | null
  readonly #counts = new WeakMap<CheckedRequest, Promise<TokenCount>>()
  #served: string | null
  #answersAs: string | null = null
  #profile: Profile = LLAMA_CPP
  #build: string | undefined

  constructor(private readonly settings: SystemOneSettings) {
    this.#transport = new Transport(settings.url, settings.apiKey)
    this.#counter = counterFor(settings.tokenizer, this.#transport, settings.tokenizers ?? null)
    this.#served = settings.model
  }

  /** The name that requests ask for; null until a probe has found the only model that is served. */
  get served(): string | null {
    return this.#served
  }

  async mostTokens(request: CheckedRequest, signal: AbortSignal): Promise<number> {
    return this.#counter?.most(request) ?? totalTokens(await this.countTokens(request, signal))
  }

  countTokens(request: CheckedRequest, signal: AbortSignal): TokenCount | Promise<TokenCount> {
    if (!this.#counter) return quarterTokens(request)
    const known = this.#counts.get(request)
    if (known) return known
    const count = this.#isOverFor(request, this.#counter)
      ? Promise.reject(tooLong())
      : this.#counter.count(request, signal)
    this.#counts.set(request, count)
    return count
  }

  async answer(request: CheckedRequest, signal: AbortSignal, take: TakePlace = NO_MORE_PLACES): Promise<RawAnswer[]> {
    await this.#checkLength(request, signal)
    const certain = request.questions.map((question) => typeOf(question).certainAnswer(question))
    const asked = request.questions.filter((_, i) => certain[i] === null)
    const answers = (asked.length > 0 ? await this.#ask(request, asked, signal, take) : []).values()
    return certain.map((known) => {
      const answer = known ?? answers.next().value
      if (!answer) throw new ServiceError("upstream_error")
      return answer
    })
  }

  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const { profile, answersAs, ...result } = await probeSystemOne({
      transport: this.#transport,
      model: this.#served,
      counter: this.#counter,
      profile: this.#profile,
      answersAs: this.#answersAs,
      asksForCounts: this.settings.tokenizer === null,
      signal,
    })
    if (!result.available) return result
    // Once learned, the served name stays: an engine that later serves another model is not this one.
    this.#served ??= result.served ?? null
    if (!profile) return this.#build === undefined ? result : { ...result, build: this.#build }
    this.#profile = profile
    this.#answersAs = answersAs ?? null
    this.#build = result.build
    return result
  }

  async close(): Promise<void> {
    await Promise.all([this.#transport.close(), this.#counter?.close()])
  }

  async #ask(request: CheckedRequest, asked: CheckedQuestion[], signal: AbortSignal, take: TakePlace) {
    if (this.#served === null) throw new ServiceError("model_unavailable")
    const isLong = textBytes(request.state) >= LONG_STATE_BYTES && asked.length > 1
    const { controller, unlink } = linkedTo(signal)
    // Each call under way listens to it, and there may be as many as the request has questions.
    setMaxListeners(0, controller.signal)
    const asking = {
      transport: this.#transport,
      served: this.#served,
      answersAs: this.#answersAs,
      profile: this.#profile,
      learn: (change: Partial<Profile>) => {
        this.#profile = { ...this.#profile, ...change }
      },
      places: new CallPlaces(take, isLong),
      leastTokens: (questions: CheckedQuestion[]) => this.#leastTokens(request, questions, signal),
    }
    try {
      return await new Questioning(asking, request.state, controller.signal).answers(asked, isLong)
    } catch (failure) {
      // What else this request asks is not left running on the engine.
      controller.abort(failure)
      throw failure
    } finally {
      unlink()
    }
  }

  /** Refuses what is over the pinned limit before anything is asked; counts only what may be. */
  async #checkLength(request: CheckedRequest, signal: AbortSignal): Promise<void> {
    const { inputLimit } = this.settings
    if (!inputLimit) return
    const most = Math.max(...request.questions.map((question) => bytesOf(request.state, question)))
    const isBounded = this.#counter?.most(request) !== null
    if (isBounded && most + FIXED_PROMPT_TOKENS <= inputLimit) return
    if (longestInput(await this.countTokens(request, signal)) > inputLimit) throw tooLong()
  }

  /** A state that cannot be within the pinned limit is not sent to be counted: 28 MiB keep this thread from other requests. */
  #isOverFor({ state }: CheckedRequest, counter: TokenCounter): boolean {
    const { inputLimit } = this.settings
    return inputLimit != null && counter.least(state) > inputLimit
  }

  /** Of a question in groups of options only the state is sure to be in every call. */
  async #leastTokens(request: CheckedRequest, asked: CheckedQuestion[], signal: AbortSignal): Promise<number> {
    if (!this.#counter) return 0
    const count = await this.countTokens(request, signal)
    let least = count.state - SHARED_TOKENS
    for (const question of asked) {
      const i = request.questions.findIndex(({ name }) => name === question.name)
      const texts = questionTexts(question).length
      const whole = request.questions[i]
      if (whole && questionTexts(whole).length === texts) least += (count.questions[i] ?? 0) - SHARED_TOKENS * texts
    }
    return least
  }
}
