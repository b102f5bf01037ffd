import { hash } from "node:crypto"
import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { Caller } from "../engine"
import { type BilledText, countEach, longestInput, type TokenCount, textBytes, totalTokens } from "../token-count"

/** How a special token written in a text counts: as the ordinary text that is billed, or as the one token it names. */
export type SpecialTokens = "as text" | "as tokens"

export interface CountOptions {
  /** "as text" unless given. */
  specials?: SpecialTokens
  /** Whom the texts belong to. */
  caller?: Caller
}

/** Counts the tokens of each text alone, with the engine's `/tokenize` or with this service's own tokenizer. */
export interface TokenSource {
  /**
   * Returns each text's tokens, in order. Adds no special tokens. Rejects like `Engine`, or with the abort's reason.
   */
  count(texts: BilledText[], signal: AbortSignal, options?: CountOptions): Promise<number[]>
  /** Returns an upper bound of a text's tokens. Null when the text has to be counted. */
  maxTokens(text: BilledText): number | null
  /** Returns a lower bound of a text's tokens. Infinity for a text that is too long to be counted. */
  minTokens(text: BilledText): number
  /** Called after texts had more tokens than `maxTokens`. From then on, the bound is not used. */
  boundExceeded(): void
  close(): Promise<void>
}

const MAX_REMEMBERED = 4096
const MAX_QUESTIONS_REMEMBERED = 256
/** Longer texts are not remembered: hashing one of 28 MiB would delay other requests. */
const LONG_BYTES = 262_144

/** Returns the key under which a text's count is remembered. Texts with different meaning have different keys. */
const keyOf = (text: BilledText): string =>
  hash("sha256", typeof text === "string" ? JSON.stringify(text) : text.source, "base64")

const COMMA = Buffer.from(",")

/** Returns one key for a list of texts: the hash of their JSON, separated by commas. Null when they are long together. */
function keyOfAll(texts: BilledText[]): string | null {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (const text of texts) {
    const source = typeof text === "string" ? Buffer.from(JSON.stringify(text)) : text.source
    bytes += source.length
    if (bytes > LONG_BYTES) return null
    parts.push(source, COMMA)
  }
  return hash("sha256", Buffer.concat(parts), "base64")
}

/** All billed texts of a request, and the upper bound of their tokens: null when they have to be counted. */
interface Billed {
  texts: BilledText[]
  max: TokenCount | null
}

/** Keeps the values that were used last: at least `size / 2` of them, and at most `size`. */
class RecentlyUsed<Value> {
  #recent = new Map<string, Value>()
  #earlier = new Map<string, Value>()

  constructor(private readonly size: number) {}

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const earlier = this.#earlier.get(key)
    if (earlier !== undefined) this.set(key, earlier)
    return earlier
  }

  set(key: string, value: Value): void {
    // Two generations: moving every used key to the end of one map would cost more than the look-up.
    if (this.#recent.size >= this.size / 2) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}

/** Counts requests with a model's own tokenizer. Caches counts by the hash of a text, and never stores a text. */
export class TokenCounter {
  readonly #known = new RecentlyUsed<number>(MAX_REMEMBERED)
  /** The counts of all texts of a request's questions, because most requests of a client ask the same. */
  readonly #questions = new RecentlyUsed<number[]>(MAX_QUESTIONS_REMEMBERED)

  /** A request's hold, its length check and its count need the same texts and the same bound. */
  readonly #billed = new WeakMap<CheckedRequest, Billed>()

  constructor(private readonly source: TokenSource) {}

  /** Returns an upper bound of a request's billed tokens. Null when the texts have to be counted. */
  maxTokens(request: CheckedRequest): number | null {
    const { max } = this.#billedOf(request)
    return max && totalTokens(max)
  }

  /** Returns the same bound of the request's longest input (`longestInput`). */
  maxInput(request: CheckedRequest): number | null {
    const { max } = this.#billedOf(request)
    return max && longestInput(max)
  }

  #billedOf(request: CheckedRequest): Billed {
    const known = this.#billed.get(request)
    if (known) return known
    const billed = { texts: billedTexts(request), max: this.#boundOf(request) }
    this.#billed.set(request, billed)
    return billed
  }

  #boundOf(request: CheckedRequest): TokenCount | null {
    let isBounded = true
    const max = countEach(request, (text) => {
      const own = isBounded ? this.source.maxTokens(text) : null
      if (own === null) isBounded = false
      return own ?? 0
    })
    return isBounded ? max : null
  }

  minTokens(text: BilledText): number {
    return this.source.minTokens(text)
  }

  /** Counts all billed texts. Throws `upstream_error` when there are more tokens than `maxTokens`. */
  async count(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<TokenCount> {
    const { texts, max } = this.#billedOf(request)
    const each = (await this.#countOnce(texts, signal, caller)).values()
    // `countEach` visits the texts in the order of `billedTexts`.
    const count = countEach(request, () => each.next().value ?? 0)
    if (max === null || totalTokens(count) <= totalTokens(max)) return count
    this.source.boundExceeded()
    this.#billed.delete(request)
    throw new ServiceError("upstream_error", { cause: new Error("a text has more tokens than its tokenizer can make") })
  }

  /** Returns how many tokens an engine that parses special tokens reads of each text. */
  countRead(texts: BilledText[], signal: AbortSignal, caller?: Caller): Promise<number[]> {
    return this.#countAll(texts, signal, "as tokens", caller)
  }

  /** Checks that the source can count. Rejects like `count`. */
  async check(signal: AbortSignal): Promise<void> {
    await this.source.count(["ping"], signal)
  }

  close(): Promise<void> {
    return this.source.close()
  }

  /** Returns one count per text of a request: the state first, then the texts of its questions. */
  async #countOnce(texts: BilledText[], signal: AbortSignal, caller?: Caller): Promise<number[]> {
    const key = keyOfAll(texts.slice(1))
    const known = key === null ? undefined : this.#questions.get(key)
    if (known) return [...(await this.#countAll(texts.slice(0, 1), signal, "as text", caller)), ...known]
    const counts = await this.#countAll(texts, signal, "as text", caller)
    if (key !== null) this.#questions.set(key, counts.slice(1))
    return counts
  }

  /** Returns one count per text. Asks once for equal texts, unless they are long. */
  async #countAll(
    texts: BilledText[],
    signal: AbortSignal,
    specials: SpecialTokens,
    caller?: Caller,
  ): Promise<number[]> {
    const keys = texts.map((text, i) => `${specials} ${textBytes(text) > LONG_BYTES ? `long ${i}` : keyOf(text)}`)
    const counts = new Map<string, number>()
    const unknown = new Map<string, BilledText>()
    keys.forEach((key, i) => {
      const known = this.#known.get(key)
      if (known === undefined) unknown.set(key, texts[i] ?? "")
      else counts.set(key, known)
    })
    const counted = unknown.size > 0 ? await this.source.count([...unknown.values()], signal, { specials, caller }) : []
    ;[...unknown].forEach(([key, text], i) => {
      const count = counted[i] ?? 0
      counts.set(key, count)
      if (textBytes(text) <= LONG_BYTES) this.#known.set(key, count)
    })
    return keys.map((key) => counts.get(key) ?? 0)
  }
}
