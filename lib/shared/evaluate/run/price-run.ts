import { type Pico, pico } from "@/lib/shared/money"

/** One counted row of the sample. */
export interface CountedRow {
  /** UTF-8 bytes of the state's JSON. */
  bytes: number
  tokens: number
}

export interface PricedRun {
  tokens: number
  /** The total is between these with about 95 % confidence, as far as the sample is like the rest. */
  low: number
  high: number
  /** True when every row was counted. */
  isExact: boolean
}

const SAMPLE_ROWS = 16

/** Two-sided 95 % quantiles of Student's t with n − 2 degrees of freedom are below this for samples of ten and more. */
const T = 2.31

/** Returns the positions to count: all of a small set, else evenly spaced over the rows sorted by length. */
export function samplePositions(bytes: readonly number[]): number[] {
  const byLength = bytes.map((_, at) => at).toSorted((a, b) => (bytes[a] ?? 0) - (bytes[b] ?? 0))
  if (byLength.length <= SAMPLE_ROWS) return byLength
  const step = (byLength.length - 1) / (SAMPLE_ROWS - 1)
  return Array.from({ length: SAMPLE_ROWS }, (_, at) => byLength[Math.round(at * step)] ?? 0)
}

/**
 * Estimates the tokens of all rows from a sample, as a straight line of tokens over bytes (least squares). The range is the
 * line's prediction interval for the sum of the rows that were not counted.
 */
export function priceRun(bytes: readonly number[], counted: readonly CountedRow[]): PricedRun {
  const n = counted.length
  const total = counted.reduce((sum, { tokens }) => sum + tokens, 0)
  if (n >= bytes.length) return { tokens: total, low: total, high: total, isExact: true }
  const meanBytes = counted.reduce((sum, row) => sum + row.bytes, 0) / n
  const meanTokens = total / n
  const spread = counted.reduce((sum, row) => sum + (row.bytes - meanBytes) ** 2, 0)
  const joint = counted.reduce((sum, row) => sum + (row.bytes - meanBytes) * (row.tokens - meanTokens), 0)
  const slope = spread > 0 ? joint / spread : 0
  const off = counted.reduce((sum, row) => sum + (row.tokens - meanTokens - slope * (row.bytes - meanBytes)) ** 2, 0)
  const variance = n > 2 ? off / (n - 2) : 0
  const rest = bytes.length - n
  const allBytes = bytes.reduce((sum, size) => sum + size, 0)
  const restMean = (allBytes - meanBytes * n) / rest
  const restTokens = rest * (meanTokens + slope * (restMean - meanBytes))
  const leverage = 1 / n + (spread > 0 ? (restMean - meanBytes) ** 2 / spread : 0)
  const margin = T * Math.sqrt(variance * (rest + rest * rest * leverage))
  const tokens = Math.round(total + restTokens)
  return {
    tokens,
    low: Math.max(total, Math.floor(tokens - margin)),
    high: Math.ceil(tokens + margin),
    isExact: false,
  }
}

/** What is known about the price of requests. */
export type Price =
  | { phase: "counting"; share: number }
  /** The questions are invalid, or no row can be used. */
  | { phase: "impossible" }
  | { phase: "failed" }
  | ({ phase: "priced" } & PricedRequests)

export interface PricedRequests {
  tokens: number
  cost: Pico
  /** The cost is between these with about 95 % confidence. */
  low: Pico
  high: Pico
  /** More than the largest request can cost. With this much of the cap left, a run can send any request. */
  most: Pico
  /** True when every request was counted. */
  isExact: boolean
  counted: number
}

/** Returns the price of two runs together. */
export function addPrices(first: Price, second: Price): Price {
  if (first.phase === "counting" || second.phase === "counting") {
    const share = (price: Price) => (price.phase === "counting" ? price.share : 1)
    return { phase: "counting", share: (share(first) + share(second)) / 2 }
  }
  if (first.phase !== "priced") return first
  if (second.phase !== "priced") return second
  return {
    phase: "priced",
    tokens: first.tokens + second.tokens,
    cost: pico(first.cost + second.cost),
    low: pico(first.low + second.low),
    high: pico(first.high + second.high),
    most: first.most > second.most ? first.most : second.most,
    isExact: first.isExact && second.isExact,
    counted: first.counted + second.counted,
  }
}
