import { hash } from "node:crypto"
import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { type BilledText, countEach, type TokenCount, textBytes, totalTokens } from "../token-count"

/** How a special token written in a text counts: as the ordinary text that is billed, or as the one token it names. */
export type SpecialTokens = "as text" | "as tokens"

/** Counts the tokens of each text alone, with the engine's `/tokenize` or with this service's own tokenizer. */
export interface TokenSource {
  /**
   * Returns each text's tokens, in order. Adds no special tokens. Rejects like `Engine`, or with the abort's reason.
   */
  count(texts: BilledText[], signal: AbortSignal, specials?: SpecialTokens): Promise<number[]>
  /** Returns an upper bound of a text's tokens. Null when the text has to be counted. */
  maxTokens(text: BilledText): number | null
  /** Returns a lower bound of a text's tokens. */
  minTokens(text: BilledText): number
  /** Called after a text had more tokens than `maxTokens`. From then on, the bound is not used. */
  boundExceeded(): void
  close(): Promise<void>
}

const MAX_REMEMBERED = 4096
/** Longer texts are not remembered: hashing one of 28 MiB would delay other requests. */
const LONG_BYTES = 262_144

/** Returns the key under which a text's count is remembered. Texts with different meaning have different keys. */
const keyOf = (text: BilledText): string =>
  hash("sha256", typeof text === "string" ? JSON.stringify(text) : text.source, "base64")

/** Counts requests with a model's own tokenizer. Caches counts by the hash of a text, and never stores a text. */
export class TokenCounter {
  /** Least recently used first. */
  readonly #known = new Map<string, number>()

  constructor(private readonly source: TokenSource) {}

  /** Returns an upper bound of a request's billed tokens. Null when the texts have to be counted. */
  maxTokens(request: CheckedRequest): number | null {
    let sum = 0
    for (const text of billedTexts(request)) {
      const own = this.source.maxTokens(text)
      if (own === null) return null
      sum += own
    }
    return sum
  }

  minTokens(text: BilledText): number {
    return this.source.minTokens(text)
  }

  /** Counts all billed texts. Throws `upstream_error` when there are more tokens than `maxTokens`. */
  async count(request: CheckedRequest, signal: AbortSignal): Promise<TokenCount> {
    const max = this.maxTokens(request)
    const texts = billedTexts(request)
    const each = (await this.#countAll(texts, signal, "as text")).values()
    // `countEach` visits the texts in the order of `billedTexts`.
    const count = countEach(request, () => each.next().value ?? 0)
    if (max === null || totalTokens(count) <= max) return count
    this.source.boundExceeded()
    throw new ServiceError("upstream_error", { cause: new Error("a text has more tokens than its tokenizer can make") })
  }

  /** Returns how many tokens an engine that parses special tokens reads of each text. */
  countRead(texts: BilledText[], signal: AbortSignal): Promise<number[]> {
    return this.#countAll(texts, signal, "as tokens")
  }

  /** Checks that the source can count. Rejects like `count`. */
  async check(signal: AbortSignal): Promise<void> {
    await this.source.count(["ping"], signal)
  }

  close(): Promise<void> {
    return this.source.close()
  }

  /** Returns one count per text. Asks once for equal texts. */
  async #countAll(texts: BilledText[], signal: AbortSignal, specials: SpecialTokens): Promise<number[]> {
    const keys = texts.map((text, i) => `${specials} ${textBytes(text) > LONG_BYTES ? `long ${i}` : keyOf(text)}`)
    const counts = new Map<string, number>()
    const unknown = new Map<string, BilledText>()
    keys.forEach((key, i) => {
      const known = this.#recall(key)
      if (known === undefined) unknown.set(key, texts[i] ?? "")
      else counts.set(key, known)
    })
    const counted = unknown.size > 0 ? await this.source.count([...unknown.values()], signal, specials) : []
    ;[...unknown].forEach(([key, text], i) => {
      const count = counted[i] ?? 0
      counts.set(key, count)
      if (textBytes(text) <= LONG_BYTES) this.#remember(key, count)
    })
    return keys.map((key) => counts.get(key) ?? 0)
  }

  #recall(key: string): number | undefined {
    const count = this.#known.get(key)
    if (count !== undefined) this.#remember(key, count)
    return count
  }

  #remember(key: string, count: number): void {
    this.#known.delete(key)
    this.#known.set(key, count)
    if (this.#known.size <= MAX_REMEMBERED) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
