import { hash } from "node:crypto"
import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { CountQueue } from "../count-queue"
import type { Caller } from "../engine"
import { type BilledText, countEach, reportedTokens, type TokenCount, textBytes } from "../token-count"
import type { LabelDialect } from "./label-dialect"

const PARALLEL = 8
const MAX_REMEMBERED = 4_096
/** Only tokens of short texts are remembered, such as the names of options. */
const SHORT_BYTES = 1_024

const keyOf = (text: BilledText): string =>
  hash("sha256", typeof text === "string" ? JSON.stringify(text) : text.source, "base64")

/** Maps every text, a few concurrently. The first failure stops the remaining ones. */
async function each<Text>(texts: Text[], idsOf: (text: Text) => Promise<number[]>): Promise<Map<Text, number[]>> {
  const found = new Map<Text, number[]>()
  const rest = texts.toReversed()
  const worker = async () => {
    for (let text = rest.pop(); text !== undefined; text = rest.pop()) found.set(text, await idsOf(text))
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, texts.length) }, worker)).catch((failure) => {
    rest.length = 0
    throw failure
  })
  return found
}

/** The tokens of every text that a request sends. */
export interface RequestTokens {
  count: TokenCount
  idsOf(text: BilledText): number[]
}

/** Tokenizes clients' texts with the engine. Accounts take turns. Remembers the tokens of short texts in memory. */
export class TextTokens {
  readonly #queue = new CountQueue()
  /** Least recently used first. */
  readonly #recent = new Map<string, number[]>()

  private constructor(
    private readonly dialect: LabelDialect,
    private readonly known: ReadonlyMap<string, number[]>,
  ) {}

  /** Tokenizes the prompt's fixed texts in advance, so that no request waits for them. */
  static async open(dialect: LabelDialect, texts: string[], signal: AbortSignal): Promise<TextTokens> {
    return new TextTokens(dialect, await each([...new Set(texts)], (text) => dialect.templateIds(text, signal)))
  }

  /** Returns the tokens of a fixed text of the prompt. Throws for a text that was not passed to `open`. */
  own(text: string): number[] {
    const ids = this.known.get(text)
    if (!ids) throw new Error("a text of the prompt was not tokenized in advance")
    return ids
  }

  /** Tokenizes all billed texts of a request, each alone. */
  async ofRequest(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<RequestTokens> {
    const ids = await each([...new Set(billedTexts(request))], (text) => this.#client(text, signal, caller))
    const idsOf = (text: BilledText) => ids.get(text) ?? []
    return { count: countEach(request, (text) => idsOf(text).length), idsOf }
  }

  async #client(text: BilledText, signal: AbortSignal, caller?: Caller): Promise<number[]> {
    const bytes = textBytes(text)
    if (bytes === 0) return []
    const call = async () => {
      const ids = await this.#queue.run(text, signal, () => this.dialect.clientIds(text, signal), caller)
      reportedTokens(text, ids.length)
      return ids
    }
    if (bytes > SHORT_BYTES) return call()
    const key = keyOf(text)
    const ids = this.#recent.get(key) ?? (await call())
    this.#recent.delete(key)
    this.#recent.set(key, ids)
    if (this.#recent.size > MAX_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value ?? "")
    return ids
  }
}
