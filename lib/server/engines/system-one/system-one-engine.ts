import { setMaxListeners } from "node:events"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { badResponse } from "@/questions/engine-wire"
import { type CheckedQuestion, type QuestionTypeName, type RawAnswer, typeOf } from "@/questions/question-types"
import { linkedTo } from "../abort"
import type { Caller, Engine, ProbeResult, TakePlace } from "../engine"
import { SlotQueue } from "../slot-queue"
import { type BilledText, type TokenCount, textBytes } from "../token-count"
import type { TokenCounter } from "../tokenizer/token-counter"
import { Questioning } from "./ask"
import { CallPlaces } from "./call-places"
import { marksIn, NO_MARKS_FOUND } from "./control-marks"
import { counterFor } from "./counter-for"
import { LLAMA_CPP, profileOf } from "./families"
import type { Profile } from "./family"
import { findingsOf } from "./findings"
import { type Determined, FirstFindings } from "./first-findings"
import { isResponding } from "./health"
import { InputTokens } from "./input-tokens"
import { ControlMarks } from "./neutral-texts"
import { isPlainObject } from "./object-states"
import { probeSystemOne } from "./probe"
import { isReadWhole } from "./read-whole"
import type { Writing } from "./request-body"
import type { SystemOneSettings } from "./system-one-settings"
import { Transport } from "./transport"

/** About a thousand tokens. With a state of this size the first question is asked alone, so that the engine caches it. */
const LONG_STATE_BYTES = 4_096
const NO_MORE_PLACES: TakePlace = () => null

/** An engine that speaks `POST {url}/v1/systemone`. The probe finds out its family. */
export class SystemOneEngine implements Engine {
  readonly #transport: Transport
  readonly #counter: TokenCounter | null
  readonly #slots: SlotQueue
  readonly #input: InputTokens
  #served: string | null
  #answersAs: string | null = null
  #profile: Profile
  #build: string | undefined
  readonly #first: FirstFindings
  #marks: { fact: string | null; marks: ControlMarks } | null = null
  /** False until a probe has asked a question of each type, and after an answer that could not be used. */
  #areTypesProven = false
  #hasReportedClamp = false

  constructor(private readonly settings: SystemOneSettings) {
    this.#transport = new Transport(settings.url, settings.apiKey, settings.socketPath)
    this.#slots = settings.slots ?? new SlotQueue()
    this.#counter = counterFor(settings.tokenizer, this.#transport, settings.tokenizers ?? null)
    this.#input = new InputTokens(this.#counter, settings, () => ({
      crashesOnMarkup: this.#profile.family.crashesOnMarkup ?? false,
      reads: this.#first.reads,
    }))
    this.#served = settings.model
    const { states = null, reads = null, marks = NO_MARKS_FOUND } = settings
    this.#profile = { ...profileOf(LLAMA_CPP), reportsLabelMass: settings.reportsLabelMass ?? false }
    this.#first = new FirstFindings({ states, reads, marks })
  }

  /** The model name that requests send to the engine. Null until a probe has found the only model served. */
  get served(): string | null {
    return this.#served
  }

  /** What probes have determined, or what is pinned. */
  get determined(): Determined {
    return this.#first
  }

  maxTokens(request: CheckedRequest): number | null {
    return this.#counter?.maxTokens(request) ?? null
  }

  countTokens(request: CheckedRequest, signal: AbortSignal, caller?: Caller): TokenCount | Promise<TokenCount> {
    return this.#input.count(request, signal, caller)
  }

  check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void> {
    return this.#input.check(request, signal, caller)
  }

  async answer(
    request: CheckedRequest,
    signal: AbortSignal,
    take: TakePlace = NO_MORE_PLACES,
    caller?: Caller,
  ): Promise<RawAnswer[]> {
    await this.check(request, signal, caller)
    try {
      return await this.#answer(request, signal, take, caller)
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === "upstream_error") this.#areTypesProven = false
      throw thrown
    }
  }

  async #answer(
    request: CheckedRequest,
    signal: AbortSignal,
    take: TakePlace,
    caller: Caller | undefined,
  ): Promise<RawAnswer[]> {
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
    this.#hasReportedClamp = false
    const asksForTypes = !this.#areTypesProven
    const {
      profile,
      answersAs,
      states,
      reads,
      marks,
      contextTokens = null,
      ...found
    } = await probeSystemOne({
      transport: this.#transport,
      model: this.#served,
      counter: this.#counter,
      profile: this.#profile,
      answersAs: this.#answersAs,
      asksForCounts: this.settings.tokenizer === null,
      ...this.#first.next(),
      asksForTypes,
      clamped: () => this.#clamped(),
      signal,
    })
    if (!found.available) {
      if (found.isOnlySlow && profile) this.#profile = profile
      return found
    }
    const result = this.#first.add(found, { states, reads, marks })
    // A learned name is kept: an engine that later serves another model must not answer for this one.
    this.#served ??= result.served ?? null
    if (!profile) return this.#build === undefined ? result : { ...result, build: this.#build }
    if (asksForTypes) this.#areTypesProven = true
    this.#profile = profile
    this.#answersAs = answersAs ?? null
    this.#build = result.build
    const { inputLimit = null, tokenizer } = this.settings
    const known = {
      contextTokens,
      tokenizer: tokenizer ?? result.tokenizer ?? null,
      inputLimit,
      states: this.#first.states,
      reads: this.#first.reads,
      marks: this.settings.marks === undefined ? null : this.#first.marks,
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
    const writing = this.#writing(request, caller)
    const counter = this.#counter
    const counts = counter && {
      billed: () => this.#input.count(request, signal, caller),
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
      labelMass: ({ type }: CheckedQuestion, mass: number) => this.#labelMass(type, mass),
      clamped: () => this.#clamped(),
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

  #writing({ state }: CheckedRequest, caller: Caller | undefined): Writing {
    const { isStrict, family } = this.#profile
    const { cacheSalt } = this.settings
    const marks = this.#controlMarks()
    return {
      isStrict,
      marks,
      needsDistinctLevels: family.needsDistinctLevels,
      cacheSalt: family.takesCacheSalt && caller && cacheSalt ? cacheSalt(caller.accountId) : null,
      isObject: this.#first.states === "objects" && isPlainObject(state, marks),
    }
  }

  #controlMarks(): ControlMarks {
    const { marks } = this.#first
    if (this.#marks?.fact !== marks)
      this.#marks = { fact: marks, marks: new ControlMarks(marksIn(marks ?? NO_MARKS_FOUND)) }
    return this.#marks.marks
  }

  #labelMass(type: QuestionTypeName, mass: number): void {
    this.settings.observer?.labelMass(type, mass)
    if (mass < (this.settings.labelMassMin ?? 0)) badResponse("the label mass is below LABEL_MASS_MIN")
  }

  #clamped(): void {
    if (this.#hasReportedClamp) return
    this.#hasReportedClamp = true
    this.settings.observer?.clamped()
  }
}
