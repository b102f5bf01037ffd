import { isAscii } from "node:buffer"
import { ServiceError } from "@/lib/shared/errors"
import { textBytes } from "../texts"
import type { TextSource } from "./open-tokenizer"
import type { BilledText, TokenSource } from "./token-source"
import type { TokenizerThread } from "./tokenizer-thread"

/** Longer texts are over the input limit of any model that is counted here; a word of this length takes 13 s. */
export const MOST_TEXT_BYTES = 1_048_576

const ESCAPED = Buffer.from("\\u")

/** True when a text surely has ASCII alone. */
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

/** A copy, because a whole body can hang on a text: it goes to another thread. */
const sourceOf = (text: BilledText): TextSource =>
  typeof text === "string"
    ? { isString: false, source: new TextEncoder().encode(text) }
    : { isString: text.kind === "string", source: text.source.slice() }

/** Counts with a tokenizer that this service has. The thread is opened by the first count, or anew after it failed to. */
export class OwnTokens implements TokenSource {
  #thread: TokenizerThread | null = null
  #isExceeded = false

  constructor(
    private readonly open: () => Promise<TokenizerThread>,
    private readonly release: () => Promise<void>,
  ) {}

  async count(texts: BilledText[], signal: AbortSignal): Promise<number[]> {
    if (texts.some((text) => textBytes(text) > MOST_TEXT_BYTES))
      throw new ServiceError("invalid_request", {
        message: `A text of the request is longer than this model takes: ${MOST_TEXT_BYTES} bytes.`,
      })
    this.#thread = await this.open().catch((cause) => {
      throw new ServiceError("model_unavailable", { cause })
    })
    return this.#thread.count(texts.map(sourceOf), signal)
  }

  most(text: BilledText): number | null {
    const growth = this.#isExceeded ? "any" : (this.#thread?.growth ?? "any")
    if (growth === "any" || (growth === "ascii" && !isPlain(text))) return null
    return textBytes(text) + 1
  }

  least(): number {
    return 0
  }

  exceeded(): void {
    this.#isExceeded = true
  }

  close(): Promise<void> {
    return this.release()
  }
}
