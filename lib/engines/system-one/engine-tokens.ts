import { textBytes } from "../texts"
import type { BilledText, TokenSource } from "../tokenizer/token-source"
import { tokenLength } from "./tokenize"
import type { Transport } from "./transport"

const PARALLEL = 6

/** Counts with the engine's own `POST /tokenize`, a few texts at a time. */
export class EngineTokens implements TokenSource {
  #isBounded = true

  constructor(private readonly transport: Transport) {}

  /** In order; the first failure ends it for all. */
  async count(texts: BilledText[], signal: AbortSignal): Promise<number[]> {
    const counts: number[] = []
    const rest = [...texts.entries()].reverse()
    const worker = async () => {
      for (let next = rest.pop(); next; next = rest.pop()) {
        const [i, text] = next
        counts[i] = await tokenLength(this.transport, text, signal)
      }
    }
    const workers = Array.from({ length: Math.min(PARALLEL, texts.length) }, worker)
    await Promise.all(workers).catch((failure) => {
      rest.length = 0
      throw failure
    })
    return counts
  }

  /** A byte-level tokenizer makes at most one token of a byte, and one it may put before the text. */
  most(text: BilledText): number | null {
    return this.#isBounded ? textBytes(text) + 1 : null
  }

  exceeded(): void {
    this.#isBounded = false
  }

  async close(): Promise<void> {}
}
