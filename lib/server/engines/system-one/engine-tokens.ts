import { textBytes } from "../texts"
import type { BilledText, TokenSource } from "../tokenizer/token-source"
import { type Dialect, tokenLength } from "./tokenize"
import type { Transport } from "./transport"

const PARALLEL = 6
/** The vocabularies that we know have tokens of 128 bytes at most (runs of blanks): four times that is no text's mean. */
const MOST_BYTES_PER_TOKEN = 512

/** Counts with the engine's own `POST /tokenize`, a few texts at a time. */
export class EngineTokens implements TokenSource {
  #isBounded = true

  constructor(
    private readonly transport: Transport,
    private readonly dialect: Dialect,
  ) {}

  /** In order; the first failure ends it for all. */
  async count(texts: BilledText[], signal: AbortSignal): Promise<number[]> {
    const counts: number[] = []
    const rest = [...texts.entries()].reverse()
    const worker = async () => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        const [i, text] = next
        counts[i] = await tokenLength(this.transport, text, this.dialect, signal)
      }
    }
    const workers = Array.from({ length: Math.min(PARALLEL, texts.length) }, worker)
    await Promise.all(workers).catch((failure) => {
      rest.length = 0
      throw failure
    })
    return counts
  }

  /**
   * llama.cpp does not normalise: of a byte it makes one token at most, and one it may put before the text. Others run the
   * model's published tokenizer, whose normaliser is not known here.
   */
  most(text: BilledText): number | null {
    return this.#isBounded && this.dialect === "content" ? textBytes(text) + 1 : null
  }

  least(text: BilledText): number {
    return this.#isBounded && this.dialect === "content" ? Math.floor(textBytes(text) / MOST_BYTES_PER_TOKEN) : 0
  }

  exceeded(): void {
    this.#isBounded = false
  }

  async close(): Promise<void> {}
}
