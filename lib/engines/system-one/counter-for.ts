import { ServiceError } from "../../errors"
import { isFingerprint } from "../tokenizer/tokenizer-files"
import type { Tokenizers } from "../tokenizer/tokenizers"
import { EngineTokens } from "./engine-tokens"
import { TokenCounter } from "./token-counter"
import type { Transport } from "./transport"

/** The rule for a model without a tokenizer: a started group of 4 UTF-8 bytes of a billed text is one token. */
export const BYTE_RULE = "bytes-4"

/** A model whose engine counts, by `POST /tokenize`. */
export const ENGINE_COUNTS = "engine"

/** What counts for a pinned model; null where bytes are counted, or where it is not known yet how. */
export function counterFor(
  tokenizer: string | null,
  transport: Transport,
  tokenizers: Tokenizers | null,
): TokenCounter | null {
  if (tokenizer === null || tokenizer === BYTE_RULE) return null
  if (!isFingerprint(tokenizer)) return new TokenCounter(new EngineTokens(transport))
  if (!tokenizers) throw new ServiceError("internal_error", { cause: new Error("no tokenizers to take one from") })
  return new TokenCounter(tokenizers.use(tokenizer))
}
