import { isAscii } from "node:buffer"
import { orAbort } from "@/lib/server/platform/or-abort"
import { ServiceError } from "@/lib/shared/errors"
import { abortError } from "../abort"
import { type BilledText, textBytes } from "../token-count"
import type { Growth } from "./open-tokenizer"
import type { CountOptions, TokenSource } from "./token-counter"
import type { TokenizerFiles } from "./tokenizer-files"
import { TokenizerThread } from "./tokenizer-thread"

/** Longer texts exceed the input limit of every model counted here. One word of this length takes 13 s. */
export const MAX_TEXT_BYTES = 1_048_576

const ESCAPED = Buffer.from("\\u")

function isPlain(text: BilledText): boolean {
  if (typeof text === "string") return isAscii(Buffer.from(text))
  return (
    isAscii(text.source) &&
    !(
      text.kind === "string" &&
      Buffer.from(text.source.buffer, text.source.byteOffset, text.source.length).includes(ESCAPED)
    )
  )
}

/** A text of this length takes 0.3 s at worst (one run of spaces), prose 25 ms. */
const SHORT_BYTES = 16_384

/** Short texts have a thread of their own, so that they do not wait for long ones. */
type Lane = "short" | "long"

interface Batch {
  lane: Lane
  texts: BilledText[]
}

/** Returns the texts in batches of one turn each: neighbouring short ones together, and each long one alone. */
function batchesOf(texts: BilledText[]): Batch[] {
  const batches: Batch[] = []
  let room = -1
  for (const text of texts) {
    const bytes = textBytes(text)
    if (bytes > room) {
      batches.push({ lane: bytes > SHORT_BYTES ? "long" : "short", texts: [] })
      room = SHORT_BYTES
    }
    batches.at(-1)?.texts.push(text)
    room -= bytes
  }
  return batches
}

/**
 * Counts with a tokenizer of this service. Accounts take turns. The first count of a lane starts its thread. After a failed start, the next
 * count tries again.
 */
class OwnTokens implements TokenSource {
  #growth: Growth = null
  #isBoundExceeded = false

  constructor(
    private readonly open: (lane: Lane) => Promise<TokenizerThread>,
    private readonly release: () => Promise<void>,
  ) {}

  async count(texts: BilledText[], signal: AbortSignal, options?: CountOptions): Promise<number[]> {
    if (texts.some((text) => textBytes(text) > MAX_TEXT_BYTES))
      throw new ServiceError("invalid_request", {
        message: `A text in the request is longer than this model accepts (${MAX_TEXT_BYTES} bytes).`,
      })
    const counts: number[] = []
    // One batch after the other, so that a request takes one turn at a time.
    for (const batch of batchesOf(texts)) {
      const thread = await orAbort(this.open(batch.lane), signal).catch((cause) => {
        throw signal.aborted ? abortError(signal) : new ServiceError("model_unavailable", { cause })
      })
      this.#growth = thread.growth
      for (const count of await thread.count(batch.texts, signal, options)) counts.push(count)
    }
    return counts
  }

  maxTokens(text: BilledText): number | null {
    const growth = this.#isBoundExceeded ? null : this.#growth
    if (growth === null) return null
    return Math.ceil(textBytes(text) * (growth > 1 && !isPlain(text) ? growth : 1)) + 1
  }

  minTokens(text: BilledText): number {
    return textBytes(text) > MAX_TEXT_BYTES ? Number.POSITIVE_INFINITY : 0
  }

  boundExceeded(): void {
    this.#isBoundExceeded = true
  }

  close(): Promise<void> {
    return this.release()
  }
}

interface Shared {
  users: number
  threads: Partial<Record<Lane, Promise<TokenizerThread>>>
}

/**
 * This process's own tokenizers by fingerprint. Models with the same tokenizer share its threads, which end when the
 * last of them closes.
 */
export class Tokenizers {
  readonly #shared = new Map<string, Shared>()

  constructor(private readonly load: (fingerprint: string) => Promise<TokenizerFiles>) {}

  /** Returns a source that counts with this tokenizer until it is closed. The files are loaded by the first count. */
  use(fingerprint: string): TokenSource {
    const shared = this.#shared.get(fingerprint) ?? { users: 0, threads: {} }
    this.#shared.set(fingerprint, shared)
    shared.users++
    return new OwnTokens(
      (lane) => this.#open(fingerprint, shared, lane),
      () => this.#release(fingerprint, shared),
    )
  }

  #open(fingerprint: string, { threads }: Shared, lane: Lane): Promise<TokenizerThread> {
    threads[lane] ??= this.load(fingerprint)
      .then((files) => TokenizerThread.open(files))
      .catch((failure) => {
        delete threads[lane]
        throw failure
      })
    return threads[lane]
  }

  async #release(fingerprint: string, shared: Shared): Promise<void> {
    shared.users--
    if (shared.users > 0) return
    if (this.#shared.get(fingerprint) === shared) this.#shared.delete(fingerprint)
    const close = (thread: Promise<TokenizerThread>) => thread.then((opened) => opened.close()).catch(() => {})
    await Promise.all(Object.values(shared.threads).map(close))
  }
}
