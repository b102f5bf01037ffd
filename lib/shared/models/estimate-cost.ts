import { costOfAll, parsePricePerMillion, usd12 } from "@/lib/shared/money"

export interface Estimate {
  tokens: number
  /** The maximum that can be billed for these texts: one token per byte, plus one for each text. */
  maxTokens: number
  /** Exact USD text; `maxPerThousand` is the cost of 1,000 requests of `maxTokens`. Null while the model has no price. */
  usd: { perRequest: string; perThousand: string; maxPerThousand: string } | null
}

const BYTES_PER_TOKEN = 4
const utf8 = new TextEncoder()

/**
 * Estimates what a request costs. The state and each further text count separately, at one token for every 4 UTF-8 bytes or
 * part of them. This is exact for models that count bytes, and within about 25% for English on other models.
 */
export function estimateCost(texts: string[], pricePerMillionUsd: string | null): Estimate {
  const sizes = texts.filter((text) => text !== "").map((text) => utf8.encode(text).length)
  const tokens = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / BYTES_PER_TOKEN), 0)
  const maxTokens = sizes.reduce((sum, bytes) => sum + bytes + 1, 0)
  const price = pricePerMillionUsd === null ? null : parsePricePerMillion(pricePerMillionUsd)
  if (price === null) return { tokens, maxTokens, usd: null }
  const of = (requests: number, each: number) => usd12(costOfAll(requests, requests * each, price))
  const usd = { perRequest: of(1, tokens), perThousand: of(1_000, tokens), maxPerThousand: of(1_000, maxTokens) }
  return { tokens, maxTokens, usd }
}
