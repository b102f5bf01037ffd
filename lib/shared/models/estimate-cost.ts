import { cost, type Pico, parsePricePerMillion, usd12 } from "@/lib/shared/money"

export interface Estimate {
  tokens: number
  /** No request of these texts can be billed for more: a token is at least a byte, and a text may add one. */
  mostTokens: number
  /** Exact USD texts of `tokens`; null while the model has no price. */
  usd: { perRequest: string; perThousand: string; most: string } | null
}

const BYTES_PER_TOKEN = 4
const utf8 = new TextEncoder()

/**
 * What a request of these texts costs: the state and each further text by itself, a started group of 4 UTF-8 bytes as one
 * token. That is how models without a tokenizer count; for others it is an estimate, right for English to about a quarter.
 */
export function estimateCost(texts: string[], pricePerMillionUsd: string | null): Estimate {
  const sizes = texts.filter((text) => text !== "").map((text) => utf8.encode(text).length)
  const tokens = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / BYTES_PER_TOKEN), 0)
  const mostTokens = sizes.reduce((sum, bytes) => sum + bytes + 1, 0)
  const price = pricePerMillionUsd === null ? null : parsePricePerMillion(pricePerMillionUsd)
  const of = (count: number) => usd12(cost(count, price ?? (0n as Pico)))
  const usd =
    price === null ? null : { perRequest: of(tokens), perThousand: of(tokens * 1_000), most: of(mostTokens * 1_000) }
  return { tokens, mostTokens, usd }
}
