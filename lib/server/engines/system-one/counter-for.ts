import { ServiceError } from "@/lib/shared/errors"
import { isFingerprint } from "../tokenizer/tokenizer-files"
import type { Tokenizers } from "../tokenizer/tokenizers"
import { EngineTokens } from "./engine-tokens"
import { TokenCounter } from "./token-counter"
import type { Dialect, EngineCount } from "./tokenize"
import type { Transport } from "./transport"

/** The rule for a model without a tokenizer: a started group of 4 UTF-8 bytes of a billed text is one token. */
export const BYTE_RULE = "bytes-4"

/** A model whose engine counts, by llama.cpp's `POST /tokenize` or by SGLang's. */
export const ENGINE_COUNTS: Record<Dialect, string> = { content: "engine", prompt: "engine-prompt" }

/** The name of how an engine was found to count; null when it did not tell. */
export const nameOf = (count: EngineCount | false | null): string | null =>
  count === null ? null : count ? ENGINE_COUNTS[count.dialect] : BYTE_RULE

/** What counts for a pinned model; null where bytes are counted, or where it is not known yet how. */
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
  if (!tokenizers) throw new ServiceError("internal_error", { cause: new Error("no tokenizers to take one from") })
  return new TokenCounter(tokenizers.use(tokenizer))
}
