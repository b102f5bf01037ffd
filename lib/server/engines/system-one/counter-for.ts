import { ServiceError } from "@/lib/shared/errors"
import { BYTE_RULE } from "../token-count"
import { TokenCounter } from "../tokenizer/token-counter"
import { isFingerprint } from "../tokenizer/tokenizer-files"
import type { Tokenizers } from "../tokenizer/tokenizers"
import { type Dialect, type EngineCount, EngineTokens } from "./tokenize"
import type { Transport } from "./transport"

/** The pinned `tokenizer` of a model whose engine counts its tokens, by the engine's dialect of `POST /tokenize`. */
export const ENGINE_COUNTS: Record<Dialect, string> = { content: "engine", prompt: "engine-prompt" }

/** Returns the `tokenizer` to pin after `findCount`. Null when it is still unknown. */
export const tokenizerNameOf = (count: EngineCount | false | null): string | null =>
  count === null ? null : count ? ENGINE_COUNTS[count.dialect] : BYTE_RULE

/**
 * Returns the counter for a pinned `tokenizer`: "engine" and "engine-prompt" count by the engine's `/tokenize`, a
 * fingerprint by this service's own tokenizer. Null for "bytes-4" and while the tokenizer is unknown.
 */
export function counterFor(
  tokenizer: string | null,
  transport: Transport,
  tokenizers: Tokenizers | null,
): TokenCounter | null {
  if (tokenizer === null || tokenizer === BYTE_RULE) return null
  if (!isFingerprint(tokenizer)) {
    const dialect = tokenizer === ENGINE_COUNTS.prompt ? "prompt" : "content"
    return new TokenCounter(new EngineTokens(transport, dialect))
  }
  if (!tokenizers) throw new ServiceError("internal_error", { cause: new Error("this process has no tokenizers") })
  return new TokenCounter(tokenizers.use(tokenizer))
}
