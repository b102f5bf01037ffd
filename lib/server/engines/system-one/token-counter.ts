import { hash } from "node:crypto"
import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { textBytes } from "../texts"
import { countEach, type TokenCount, totalTokens } from "../token-count"
import type { BilledText, TokenSource } from "../tokenizer/token-source"

const REMEMBERED = 4096
/** Longer texts are not remembered: to hash one of 28 MiB would keep other requests waiting. */
const LONG_BYTES = 262_144

/** What a text's count is remembered by: no two texts of different meaning share it. */
const keyOf = (text: BilledText): string =>
  hash("sha256", typeof text === "string" ? JSON.stringify(text) : text.source, "base64")

/** Counts requests with a model's own tokenizer. Counts of texts seen before are remembered by hash, never the texts. */
export class TokenCounter {
  /** In order of use, the oldest first. */
  readonly #known = new Map<string, number>()

  constructor(private readonly source: TokenSource) {}

  /** The most tokens a request can be billed for; null where only `count` tells. */
  most(request: CheckedRequest): number | null {
    let most = 0
    for (const text of billedTexts(request)) {
      const own = this.source.most(text)
      if (own === null) return null
      most += own
    }
    return most
  }

  /** The fewest tokens a text can have. */
  least(text: BilledText): number {
    return this.source.least(text)
  }

  /** The tokens of all billed texts. Throws `upstream_error` when there are more than `most` allows. */
  async count(request: CheckedRequest, signal: AbortSignal): Promise<TokenCount> {
    const most = this.most(request)
    const texts = billedTexts(request)
    const keys = texts.map((text, i) => (textBytes(text) > LONG_BYTES ? `long ${i}` : keyOf(text)))
    const counts = await this.#countAll(new Map(keys.map((key, i) => [key, texts[i] ?? ""])), signal)
    // `countEach` asks in the order of `billedTexts`.
    const each = keys.map((key) => counts.get(key) ?? 0).values()
    const count = countEach(request, () => each.next().value ?? 0)
    if (most === null || totalTokens(count) <= most) return count
    this.source.exceeded()
    throw new ServiceError("upstream_error", { cause: new Error("a text has more tokens than its tokenizer can make") })
  }

  /** Whether the source counts at all; rejects like `count`. */
  async check(signal: AbortSignal): Promise<void> {
    await this.source.count(["ping"], signal)
  }

  close(): Promise<void> {
    return this.source.close()
  }

  async #countAll(texts: Map<string, BilledText>, signal: AbortSignal): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const unknown: [key: string, text: BilledText][] = []
    for (const [key, text] of texts) {
      const known = this.#recall(key)
      if (known === undefined) unknown.push([key, text])
      else counts.set(key, known)
    }
    if (unknown.length === 0) return counts
    const counted = await this.source.count(
      unknown.map(([, text]) => text),
      signal,
    )
    unknown.forEach(([key, text], i) => {
      const count = counted[i] ?? 0
      counts.set(key, count)
      if (textBytes(text) <= LONG_BYTES) this.#remember(key, count)
    })
    return counts
  }

  #recall(key: string): number | undefined {
    const count = this.#known.get(key)
    if (count !== undefined) this.#remember(key, count)
    return count
  }

  #remember(key: string, count: number): void {
    this.#known.delete(key)
    this.#known.set(key, count)
    if (this.#known.size <= REMEMBERED) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
