import { setMaxListeners } from "node:events"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import { linkedTo } from "../abort"
import type { Caller, Engine, ProbeResult, TakePlace } from "../engine"
import { SlotQueue } from "../slot-queue"
import { type BilledText, countByBytes, longestInput, type TokenCount, textBytes, totalTokens } from "../token-count"
import type { TokenCounter } from "../tokenizer/token-counter"
import type { Tokenizers } from "../tokenizer/tokenizers"
import { Questioning } from "./ask"
import { CallPlaces } from "./call-places"
import { counterFor } from "./counter-for"
import { refuseCrashingTexts } from "./crashing-texts"
import { tooLong } from "./failures"
import { LLAMA_CPP, profileOf } from "./families"
import type { Profile } from "./family"
import { findingsOf } from "./findings"
import { isResponding } from "./health"
import { isPlainObject } from "./object-states"
import { probeSystemOne } from "./probe"
import { isReadWhole } from "./read-whole"
import type { StateForm } from "./state-form"
import { Transport } from "./transport"

export interface SystemOneSettings {
  /** The address without `/v1`. */
  url: string
  /** The name under which the engine serves the model. Null when it serves only one model. */
  model: string | null
  /** How tokens are counted (`counterFor`). */
  tokenizer: string | null
  /** This service's own tokenizers. Required for a model that is pinned to one. */
  tokenizers?: Tokenizers
  apiKey: string | null
  /** The Unix socket of the service's own engine. By default the engine listens at the address. */
  socketPath?: string | null
  /** The maximum tokens of state, one question and the fixed prompt together. Null: what the engine accepts. */
  inputLimit?: number | null
  /** The pinned form of states. Null until a probe has determined it. */
  states?: StateForm | null
  /** The slots of the engine at this address. */
  slots?: SlotQueue
  /** Counted tokens of requests, which all addresses of a model share. */
  counts?: WeakMap<CheckedRequest, Promise<TokenCount>>
}

/**
 * About a thousand tokens. With a state of this size the first question is asked alone, so that the engine caches it.
 */
const LONG_STATE_BYTES = 4_096
/** Without an input limit, longer input is counted before it is answered, and other input meanwhile. */
const LONG_INPUT_TOKENS = 16_384
const NO_MORE_PLACES: TakePlace = () => null

/** An engine that speaks `POST {url}/v1/systemone`. The probe finds out its family. */
export class SystemOneEngine implements Engine {
  readonly #transport: Transport
  readonly #counter: TokenCounter | null
  readonly #slots: SlotQueue
  readonly #counts: WeakMap<CheckedRequest, Promise<TokenCount>>
  readonly #checks = new WeakMap<CheckedRequest, Promise<void>>()
  #served: string | null
  #answersAs: string | null = null
  #profile: Profile = profileOf(LLAMA_CPP)
  #build: string | undefined
  #states: StateForm | null
  /** What the first probe found, which later probes also report. Null when it is pinned. */
  #foundStates: StateForm | null = null

  constructor(private readonly settings: SystemOneSettings) {
    this.#transport = new Transport(settings.url, settings.apiKey, settings.socketPath)
    this.#slots = settings.slots ?? new SlotQueue()
    this.#counts = settings.counts ?? new WeakMap()
    this.#counter = counterFor(settings.tokenizer, this.#transport, settings.tokenizers ?? null)
    this.#served = settings.model
    this.#states = settings.states ?? null
  }

  /** The model name that requests send to the engine. Null until a probe has found the only model served. */
  get served(): string | null {
    return this.#served
  }

  /** How states are sent. Null until a probe has determined it. */
  get states(): StateForm | null {
    return this.#states
  }

  async maxTokens(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<number> {
    return this.#counter?.maxTokens(request) ?? totalTokens(await this.countTokens(request, signal, caller))
  }

  countTokens(request: CheckedRequest, signal: AbortSignal, caller?: Caller): TokenCount | Promise<TokenCount> {
    if (!this.#counter) return countByBytes(request)
    const known = this.#counts.get(request)
    if (known) return known
    const count = this.#isSurelyTooLong(request)
      ? Promise.reject(tooLong())
      : this.#counter.count(request, signal, caller)
    this.#counts.set(request, count)
    // Another address of the model may succeed.
    count.catch(() => this.#counts.delete(request))
    return count
  }

  check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void> {
    const check = this.#checks.get(request) ?? this.#check(request, signal, caller)
    this.#checks.set(request, check)
    return check
  }

  async answer(
    request: CheckedRequest,
    signal: AbortSignal,
    take: TakePlace = NO_MORE_PLACES,
    caller?: Caller,
  ): Promise<RawAnswer[]> {
    await this.check(request, signal, caller)
    const certain = request.questions.map((question) => typeOf(question).certainAnswer(question))
    const asked = request.questions.filter((_, i) => certain[i] === null)
    const answers = (asked.length > 0 ? await this.#ask(request, asked, signal, take, caller) : []).values()
    return certain.map((known) => {
      const answer = known ?? answers.next().value
      if (!answer) throw new ServiceError("upstream_error")
      return answer
    })
  }

  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const {
      profile,
      answersAs,
      states,
      contextTokens = null,
      ...found
    } = await probeSystemOne({
      transport: this.#transport,
      model: this.#served,
      counter: this.#counter,
      profile: this.#profile,
      answersAs: this.#answersAs,
      asksForCounts: this.settings.tokenizer === null,
      asksForStates: this.#states === null,
      signal,
    })
    if (!found.available) {
      if (found.isOnlySlow && profile) this.#profile = profile
      return found
    }
    this.#foundStates ??= states ?? null
    this.#states ??= this.#foundStates
    const result = this.#foundStates ? { ...found, facts: { ...found.facts, states: this.#foundStates } } : found
    // A learned name is kept: an engine that later serves another model must not answer for this one.
    this.#served ??= result.served ?? null
    if (!profile) return this.#build === undefined ? result : { ...result, build: this.#build }
    this.#profile = profile
    this.#answersAs = answersAs ?? null
    this.#build = result.build
    const { inputLimit = null, tokenizer } = this.settings
    const known = {
      contextTokens,
      tokenizer: tokenizer ?? result.tokenizer ?? null,
      inputLimit,
      states: this.#states,
    }
    return { ...result, findings: findingsOf(profile, result, known) }
  }

  isAlive(signal: AbortSignal): Promise<boolean> {
    return isResponding(this.#transport, signal)
  }

  async close(): Promise<void> {
    await Promise.all([this.#transport.close(), this.#counter?.close()])
  }

  async #ask(
    request: CheckedRequest,
    asked: CheckedQuestion[],
    signal: AbortSignal,
    take: TakePlace,
    caller: Caller | undefined,
  ) {
    if (this.#served === null) throw new ServiceError("model_unavailable")
    this.#slots.setSlots(this.#profile.slots)
    const isLong = textBytes(request.state) >= LONG_STATE_BYTES && asked.length > 1
    const { controller, unlink } = linkedTo(signal)
    // Every running call adds a listener, and there may be one call per question.
    setMaxListeners(0, controller.signal)
    const writing = {
      isStrict: this.#profile.isStrict,
      isObject: this.#states === "objects" && isPlainObject(request.state),
    }
    const counter = this.#counter
    const counts = counter && {
      billed: () => this.countTokens(request, signal, caller),
      read: (texts: BilledText[]) => counter.countRead(texts, signal, caller),
    }
    const asking = {
      transport: this.#transport,
      served: this.#served,
      answersAs: this.#answersAs,
      profile: this.#profile,
      learn: (change: Partial<Profile>) => {
        this.#profile = { ...this.#profile, ...change }
      },
      places: new CallPlaces(take, isLong),
      slots: this.#slots,
      authorize: caller?.authorize,
      writing,
      // Without a counter the engine is trusted.
      isWhole: (questions: CheckedQuestion[], inputTokens: number) =>
        counts === null || isReadWhole({ request, asked: questions, writing }, inputTokens, counts),
    }
    try {
      return await new Questioning(asking, request.state, controller.signal).answers(asked)
    } catch (failure) {
      // Stop the request's other calls on the engine.
      controller.abort(failure)
      throw failure
    } finally {
      unlink()
    }
  }

  /** Counts tokens, unless their bound proves that the input fits or is short: a long count must not keep a place. */
  async #check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void> {
    const { inputLimit } = this.settings
    if (this.#isSurelyTooLong(request)) throw tooLong()
    if (this.#profile.family.crashesOnMarkup) refuseCrashingTexts(request)
    const bound = this.#counter?.maxInput(request) ?? null
    if (bound !== null && bound <= (inputLimit ?? LONG_INPUT_TOKENS)) return
    const longest = longestInput(await this.countTokens(request, signal, caller))
    if (inputLimit && longest > inputLimit) throw tooLong()
  }

  /**
   * Returns whether the state certainly exceeds the pinned limit, or what can be counted. Such a state is neither counted nor
   * searched, because 28 MiB would block this thread.
   */
  #isSurelyTooLong({ state }: CheckedRequest): boolean {
    const { inputLimit } = this.settings
    const tokens = this.#counter?.minTokens(state) ?? Math.ceil(state.textBytes() / 4)
    return tokens > (inputLimit ?? Number.MAX_SAFE_INTEGER)
  }
}
