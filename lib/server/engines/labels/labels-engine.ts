import { setMaxListeners } from "node:events"
import type { Authorize } from "@/lib/server/platform/authority"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import { linkedTo } from "../abort"
import type { Caller, Engine, ProbeResult, TakePlace } from "../engine"
import { SlotQueue } from "../slot-queue"
import { CallPlaces } from "../system-one/call-places"
import { tooLong } from "../system-one/failures"
import { isResponding } from "../system-one/health"
import { Transport } from "../system-one/transport"
import { longestInput, type TokenCount, textBytes } from "../token-count"
import { isWrongAnswer, reasonOf, Unusable } from "../unusable"
import { labelFindings } from "./findings"
import { probeLabels } from "./probe"
import { LABEL_PROMPT, LABEL_PROMPT_BOTH_ORDERS } from "./prompt"
import { type LabelModel, readQuestion } from "./read-question"
import type { RequestTokens } from "./text-tokens"

export interface LabelsSettings {
  /** The address without `/v1`. */
  url: string
  /** The name under which the engine serves the model. Null when it serves only one. */
  model: string | null
  /** The version of the prompt that the model is pinned to. */
  promptTemplate: string | null
  apiKey: string | null
  /** The maximum tokens of state, one question and the fixed prompt together. Null: what the engine accepts. */
  inputLimit: number | null
  /** Returns the value under which the engine caches an account's prompts. Null: accounts share a cache. */
  cacheSalt: ((accountId: string) => string) | null
  /** The slots of the engine at this address. */
  slots?: SlotQueue
  /** Tokenized requests, which all addresses of a model share. */
  counts?: WeakMap<CheckedRequest, Promise<RequestTokens>>
}

/** The tokenizer name of every model of this adapter. The model's engine tokenizes each text, as `TextTokens` requests it. */
const LABEL_TOKENIZER = "engine-labels"

const PROMPTS = [LABEL_PROMPT, LABEL_PROMPT_BOTH_ORDERS]
/** About a thousand tokens. With a state of this size the first question is asked alone, so that the engine caches it. */
const LONG_STATE_BYTES = 4_096
/** Known vocabularies have tokens of at most 128 bytes. No text averages four times that. */
const MAX_BYTES_PER_TOKEN = 512
const NO_MORE_PLACES: TakePlace = () => null

/**
 * An ordinary chat model behind vLLM, SGLang or llama.cpp. Each question is a prompt whose answer is one label, and the labels'
 * probabilities are the answer.
 */
export class LabelsEngine implements Engine {
  readonly #transport: Transport
  readonly #slots: SlotQueue
  readonly #tokens: WeakMap<CheckedRequest, Promise<RequestTokens>>
  #served: string | null
  #known: { build: string; model: LabelModel } | null = null

  constructor(private readonly settings: LabelsSettings) {
    this.#transport = new Transport(settings.url, settings.apiKey)
    this.#slots = settings.slots ?? new SlotQueue()
    this.#tokens = settings.counts ?? new WeakMap()
    this.#served = settings.model
  }

  /** The model name that requests send to the engine. Null until a probe has found the only model served. */
  get served(): string | null {
    return this.#served
  }

  maxTokens(): null {
    return null
  }

  async countTokens(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<TokenCount> {
    return (await this.#tokensOf(request, signal, caller)).count
  }

  async check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void> {
    const { inputLimit } = this.settings
    const { count } = await this.#tokensOf(request, signal, caller)
    if (inputLimit !== null && longestInput(count) > inputLimit) throw tooLong()
  }

  async answer(
    request: CheckedRequest,
    signal: AbortSignal,
    take: TakePlace = NO_MORE_PLACES,
    caller?: Caller,
  ): Promise<RawAnswer[]> {
    const { controller, unlink } = linkedTo(signal)
    // Every running call adds a listener, and there may be several per question.
    setMaxListeners(0, controller.signal)
    try {
      return await this.#answer(request, controller.signal, take, caller)
    } catch (failure) {
      // Stop the request's other calls on the engine.
      controller.abort(failure)
      throw failure
    } finally {
      unlink()
    }
  }

  isAlive(signal: AbortSignal): Promise<boolean> {
    return isResponding(this.#transport, signal)
  }

  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const { promptTemplate, inputLimit } = this.settings
    if (promptTemplate === null || !PROMPTS.includes(promptTemplate))
      return { available: false, reason: `This version of the service does not have the prompt ${promptTemplate}.` }
    let read: { build?: string } = {}
    let isAsking = false
    try {
      const known = this.#known
      const identified = (build: string, model: LabelModel | null) => {
        read = { build }
        isAsking = model !== null
        if (model) this.#known ??= { build, model }
      }
      const probe = { transport: this.#transport, model: this.#served, inputLimit, known, identified, signal }
      const { found, model, build } = await probeLabels(probe)
      this.#known = { build, model }
      // A learned name is kept: an engine that later serves another model must not answer for this one.
      this.#served ??= found.served
      const { served, slots } = found
      this.#slots.setSlots(slots ?? null)
      const isBothOrders = promptTemplate === LABEL_PROMPT_BOTH_ORDERS
      const findings = labelFindings(found, model, { build, isBothOrders, inputLimit })
      const result = { available: true, served, build, tokenizer: LABEL_TOKENIZER, findings }
      return slots === undefined ? result : { ...result, slots }
    } catch (thrown) {
      const slow = isAsking && signal.aborted ? { isOnlySlow: true } : {}
      const wrong = isAsking && (thrown instanceof Unusable || isWrongAnswer(thrown)) ? { isWrong: true } : {}
      return { available: false, reason: reasonOf(thrown), ...read, ...slow, ...wrong }
    }
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  get #model(): LabelModel {
    if (!this.#known) throw new ServiceError("model_unavailable")
    return this.#known.model
  }

  async #answer(request: CheckedRequest, signal: AbortSignal, take: TakePlace, caller: Caller | undefined) {
    const { cacheSalt, promptTemplate } = this.settings
    const model = this.#model
    await this.check(request, signal, caller)
    const tokens = await this.#tokensOf(request, signal, caller)
    const isLong = textBytes(request.state) >= LONG_STATE_BYTES
    const places = new CallPlaces(take, isLong)
    const reading = {
      model,
      state: request.state,
      tokens,
      isBothOrders: promptTemplate === LABEL_PROMPT_BOTH_ORDERS,
      cacheSalt: caller && cacheSalt ? cacheSalt(caller.accountId) : null,
      run: <T>(call: () => Promise<T>) => places.run(() => this.#inSlot(call, signal, caller?.authorize)),
      signal,
    }
    const one = (question: CheckedQuestion) =>
      typeOf(question).certainAnswer(question) ?? readQuestion(reading, question)
    return Promise.all(request.questions.map(one))
  }

  /** Makes a call when one of the engine's slots is free for it. */
  async #inSlot<T>(call: () => Promise<T>, signal: AbortSignal, authorize: Authorize | undefined): Promise<T> {
    const taken = await this.#slots.take([1], signal)
    try {
      await authorize?.()
      return await call()
    } finally {
      taken.end()
    }
  }

  /** Tokenizes a request once, for its hold, its prompts and its charge. */
  #tokensOf(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<RequestTokens> {
    const known = this.#tokens.get(request)
    if (known) return known
    const tokens = this.#tokenize(request, signal, caller)
    this.#tokens.set(request, tokens)
    // Another address of the model may succeed.
    tokens.catch(() => this.#tokens.delete(request))
    return tokens
  }

  async #tokenize(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<RequestTokens> {
    const { texts, contextTokens } = this.#model
    // A state that is certainly too long is not tokenized: the list of its tokens would block this thread.
    if (textBytes(request.state) / MAX_BYTES_PER_TOKEN > contextTokens) throw tooLong()
    return texts.ofRequest(request, signal, caller)
  }
}
