import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { countEach, type TokenCount } from "./token-count"

/** UTF-8 length of a billed text; option names are plain strings. */
export const textBytes = (text: JsonText | string): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.textBytes()

/**
 * The tokens of a model without a tokenizer: one for every started group of 4 UTF-8 bytes of each billed text. The rule
 * is exact before anything runs, so the hold equals the charge.
 */
export const quarterTokens = (request: CheckedRequest): TokenCount =>
  countEach(request, (text) => Math.ceil(textBytes(text) / 4))
