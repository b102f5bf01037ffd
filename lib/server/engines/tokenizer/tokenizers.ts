import { isAscii } from "node:buffer"
import { ServiceError } from "@/lib/shared/errors"
import { type BilledText, textBytes } from "../token-count"
import type { TextSource } from "./open-tokenizer"
import type { SpecialTokens, TokenSource } from "./token-counter"
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

/** Copies a text for another thread, because its source may be a view of the whole body. */
const sourceOf = (text: BilledText): TextSource =>
  typeof text === "string"
    ? { isString: false, source: new TextEncoder().encode(text) }
    : { isString: text.kind === "string", source: text.source.slice() }

/**
 * Counts with a tokenizer of this service. The first count starts the thread. After a failed start, the next count
 * tries again.
 */
export class OwnTokens implements TokenSource {
  #thread: TokenizerThread | null = null
  #isBoundExceeded = false

  constructor(
    private readonly open: () => Promise<TokenizerThread>,
    private readonly release: () => Promise<void>,
  ) {}

  async count(texts: BilledText[], signal: AbortSignal, specials: SpecialTokens = "as text"): Promise<number[]> {
    if (texts.some((text) => textBytes(text) > MAX_TEXT_BYTES))
      throw new ServiceError("invalid_request", {
        message: `A text in the request is longer than this model accepts (${MAX_TEXT_BYTES} bytes).`,
      })
    this.#thread = await this.open().catch((cause) => {
      throw new ServiceError("model_unavailable", { cause })
    })
    return this.#thread.count(texts.map(sourceOf), signal, specials)
  }

  maxTokens(text: BilledText): number | null {
    const growth = this.#isBoundExceeded ? "any" : (this.#thread?.growth ?? "any")
    if (growth === "any" || (growth === "ascii" && !isPlain(text))) return null
    return textBytes(text) + 1
  }

  minTokens(): number {
    return 0
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
  thread: Promise<TokenizerThread> | null
}

/**
 * This process's own tokenizers by fingerprint. Models with the same tokenizer share its thread, which ends when the
 * last of them closes.
 */
export class Tokenizers {
  readonly #shared = new Map<string, Shared>()

  constructor(private readonly load: (fingerprint: string) => Promise<TokenizerFiles>) {}

  /** Returns a source that counts with this tokenizer until it is closed. The files are loaded by the first count. */
  use(fingerprint: string): TokenSource {
    const shared = this.#shared.get(fingerprint) ?? { users: 0, thread: null }
    this.#shared.set(fingerprint, shared)
    shared.users++
    return new OwnTokens(
      () => this.#open(fingerprint, shared),
      () => this.#release(fingerprint, shared),
    )
  }

  #open(fingerprint: string, shared: Shared): Promise<TokenizerThread> {
    shared.thread ??= this.load(fingerprint)
      .then((files) => TokenizerThread.open(files))
      .catch((failure) => {
        shared.thread = null
        throw failure
      })
    return shared.thread
  }

  async #release(fingerprint: string, shared: Shared): Promise<void> {
    shared.users--
    if (shared.users > 0) return
    if (this.#shared.get(fingerprint) === shared) this.#shared.delete(fingerprint)
    await shared.thread?.then((thread) => thread.close()).catch(() => {})
  }
}
