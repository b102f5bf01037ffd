import { cost, type Pico, parsePricePerMillion, usd12 } from "@/lib/shared/money"

export interface Estimate {
  tokens: number
  /** The upper bound of the billed tokens: a token has at least one byte, and each text may add one token. */
  maxTokens: number
  /** Exact USD texts: of one request, of 1,000, and of 1,000 with `maxTokens`; null while the model has no price. */
  usd: { perRequest: string; perThousand: string; maxPerThousand: string } | null
}

const BYTES_PER_TOKEN = 4
const utf8 = new TextEncoder()

/**
 * Estimates the cost of a request with these texts. Every started group of 4 UTF-8 bytes of a text counts as one token.
 * Exact for models without a tokenizer; for others it is off by up to about a quarter in English.
 */
export function estimateCost(texts: string[], pricePerMillionUsd: string | null): Estimate {
  const sizes = texts.filter((text) => text !== "").map((text) => utf8.encode(text).length)
  const tokens = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / BYTES_PER_TOKEN), 0)
  const maxTokens = sizes.reduce((sum, bytes) => sum + bytes + 1, 0)
  const price = pricePerMillionUsd === null ? null : parsePricePerMillion(pricePerMillionUsd)
  const of = (count: number) => usd12(cost(count, price ?? (0n as Pico)))
  const usd =
    price === null
      ? null
      : { perRequest: of(tokens), perThousand: of(tokens * 1_000), maxPerThousand: of(maxTokens * 1_000) }
  return { tokens, maxTokens, usd }
}
