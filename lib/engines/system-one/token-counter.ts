import { hash } from "node:crypto"
import { billedTexts, type CheckedRequest } from "../../decisions/check"
import { ServiceError } from "../../errors"
import type { JsonText } from "../../json/text"
import { textBytes } from "../texts"
import { countEach, type TokenCount, totalTokens } from "../token-count"
import { tokenLength } from "./tokenize"
import type { Transport } from "./transport"

const PARALLEL = 6
const REMEMBERED = 4096
/** Longer texts are not remembered: to hash one of 28 MiB would keep other requests waiting. */
const LONG_BYTES = 262_144

/** A byte-level tokenizer makes at most one token of a byte, and one it may put before the text. */
export const mostTokens = (request: CheckedRequest): number =>
  billedTexts(request).reduce((sum, text) => sum + textBytes(text) + 1, 0)

/** What a text's count is remembered by: no two texts of different meaning share it. */
const keyOf = (text: JsonText | string): string =>
  hash("sha256", typeof text === "string" ? JSON.stringify(text) : text.source, "base64")

/** Counts with the engine's own `POST /tokenize`. Counts of texts seen before are remembered by hash, never the texts. */
export class TokenCounter {
  /** In order of use, the oldest first. */
  readonly #known = new Map<string, number>()

  constructor(private readonly transport: Transport) {}

  /** The tokens of all billed texts. Throws `upstream_error` when there are more than `mostTokens` allows. */
  async count(request: CheckedRequest, signal: AbortSignal): Promise<TokenCount> {
    const texts = billedTexts(request)
    const counts = new Map<string, number>()
    const unknown = new Map<string, JsonText | string>()
    const keys = texts.map((text, i) => {
      const key = textBytes(text) > LONG_BYTES ? `long ${i}` : keyOf(text)
      const known = counts.get(key) ?? this.#recall(key)
      if (known === undefined) unknown.set(key, text)
      else counts.set(key, known)
      return key
    })
    await this.#askAll(unknown, counts, signal)
    const each = keys.map((key) => counts.get(key) ?? 0).values()
    const count = countEach(request, () => each.next().value ?? 0)
    if (totalTokens(count) > mostTokens(request)) throw new ServiceError("upstream_error")
    return count
  }

  /** Whether the engine counts at all; rejects like `count`. */
  async check(signal: AbortSignal): Promise<void> {
    await tokenLength(this.transport, "ping", signal)
  }

  /** A few at a time, in order; the first failure ends it for all. */
  async #askAll(
    texts: Map<string, JsonText | string>,
    counts: Map<string, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const rest = [...texts].reverse()
    const worker = async () => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        const [key, text] = next
        const count = await tokenLength(this.transport, text, signal)
        counts.set(key, count)
        if (textBytes(text) <= LONG_BYTES) this.#remember(key, count)
      }
    }
    const workers = Array.from({ length: Math.min(PARALLEL, texts.size) }, worker)
    await Promise.all(workers).catch((failure) => {
      rest.length = 0
      throw failure
    })
  }

  #recall(key: string): number | undefined {
    const count = this.#known.get(key)
    if (count !== undefined) this.#remember(key, count)
    return count
  }

  #remember(key: string, count: number): void {
    this.#known.delete(key)
    this.#known.set(key, count)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }
}
