import { OwnTokens } from "./own-tokens"
import type { TokenSource } from "./token-source"
import type { TokenizerFiles } from "./tokenizer-files"
import { TokenizerThread } from "./tokenizer-thread"

interface Shared {
  users: number
  thread: Promise<TokenizerThread> | null
}

/** The process's own tokenizers by fingerprint. Models with the same one share its thread; the last to go ends it. */
export class Tokenizers {
  readonly #shared = new Map<string, Shared>()

  constructor(private readonly load: (fingerprint: string) => Promise<TokenizerFiles>) {}

  /** What counts with this tokenizer, until it is closed. The files are loaded when something is counted. */
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
