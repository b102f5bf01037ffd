import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { Caller } from "../engine"
import { countByBytes, countEach, longestInput, type TokenCount, textBytes } from "../token-count"
import type { TokenCounter } from "../tokenizer/token-counter"
import { refuseCrashingTexts } from "./crashing-texts"
import { tooLong } from "./failures"
import type { ReadLength } from "./read-length"
import type { SystemOneSettings } from "./system-one-settings"

/** What a probe found that decides which input the engine can read. */
interface EngineInput {
  crashesOnMarkup: boolean
  reads: ReadLength | null
}

/** Without an input limit, longer input is counted before it is answered, and other input meanwhile. */
const LONG_INPUT_TOKENS = 16_384

/** Counts and checks requests for one engine, each request once. */
export class InputTokens {
  readonly #inputLimit: number | null
  readonly #counts: WeakMap<CheckedRequest, Promise<TokenCount>>
  readonly #checks = new WeakMap<CheckedRequest, Promise<void>>()

  constructor(
    private readonly counter: TokenCounter | null,
    { inputLimit = null, counts = new WeakMap() }: Pick<SystemOneSettings, "inputLimit" | "counts">,
    private readonly engine: () => EngineInput,
  ) {
    this.#inputLimit = inputLimit
    this.#counts = counts
  }

  count(request: CheckedRequest, signal: AbortSignal, caller?: Caller): TokenCount | Promise<TokenCount> {
    if (!this.counter) return countByBytes(request)
    const known = this.#counts.get(request)
    if (known) return known
    const count = this.#isSurelyTooLong(request)
      ? Promise.reject(tooLong())
      : this.counter.count(request, signal, caller)
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

  /** Counts tokens, unless their bound proves that the input fits or is short: a long count must not keep a place. */
  async #check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void> {
    const { crashesOnMarkup, reads } = this.engine()
    if (this.#isSurelyTooLong(request)) throw tooLong()
    if (crashesOnMarkup) refuseCrashingTexts(request)
    if (typeof reads === "number" && (await this.#mostRead(request, signal, caller)) > reads) throw tooLong()
    const bound = this.counter?.maxInput(request) ?? null
    if (bound !== null && bound <= (this.#inputLimit ?? LONG_INPUT_TOKENS)) return
    const longest = longestInput(await this.count(request, signal, caller))
    if (this.#inputLimit && longest > this.#inputLimit) throw tooLong()
  }

  /** Returns the most tokens that an engine may read of the longest input. Without a counter, every byte may be a token. */
  async #mostRead(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<number> {
    const { state, questions } = this.counter
      ? await this.count(request, signal, caller)
      : countEach(request, textBytes)
    return state + Math.max(0, ...questions)
  }

  /**
   * Returns whether the state certainly exceeds the pinned limit, or what can be counted. Such a state is neither counted nor
   * searched, because 28 MiB would block this thread.
   */
  #isSurelyTooLong({ state }: CheckedRequest): boolean {
    const tokens = this.counter?.minTokens(state) ?? Math.ceil(state.textBytes() / 4)
    return tokens > (this.#inputLimit ?? Number.MAX_SAFE_INTEGER)
  }
}
