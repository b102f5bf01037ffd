"use client"
import { useEffect, useEffectEvent, useState } from "react"
import { type Pico, parsePricePerMillion, pico } from "@/lib/shared/money"
import { countTokens, RECOUNT_AFTER_MS } from "@/lib/shared/runs/count-tokens"
import type { TokenCount } from "@/lib/shared/runs/run-cost"
import type { RunDraft } from "../model/evaluation-run"
import type { OpenSet } from "../model/open-set"
import { type CountedRow, costOf, priceRun, samplePositions } from "./price-run"
import { rowRequests } from "./row-requests"
import { requestTextOf } from "./send-row"

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

/** The token count accepts at most five requests per second. */
const COUNT_EVERY_MS = 230

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function countPatiently(body: string, signal: AbortSignal): Promise<TokenCount> {
  for (;;) {
    const count = await countTokens(body, signal)
    if (count === null) throw new Error("The token count was refused.")
    if (count !== "rate_limited") return count
    await wait(RECOUNT_AFTER_MS)
  }
}

/** The requests of a run that is not sent yet. */
export interface DraftRequests {
  /** For each request, the bytes of its state or of its whole body. Tokens are estimated from them. */
  bytes: readonly number[]
  /** Returns the body of a request; null when it has no state. */
  textAt(at: number): string | null
}

/** Returns the requests of a draft; null when its questions are invalid or it has no row. */
export function draftRequests(
  { set, rows }: Pick<OpenSet, "set" | "rows">,
  draft: Pick<RunDraft, "form" | "pinnedId" | "mapping" | "probe" | "rows">,
  bytes?: readonly number[],
): DraftRequests | null {
  const requests = rowRequests(set, rows, draft, null)
  if (!requests || draft.rows.length === 0) return null
  const textAt = (at: number) => {
    const request = requests(draft.rows[at] ?? -1)
    return request && requestTextOf(request.shared, request.state)
  }
  const encoder = new TextEncoder()
  return { bytes: bytes ?? draft.rows.map((_, at) => encoder.encode(textAt(at) ?? "").length), textAt }
}

interface Sampled {
  counted: CountedRow[]
  /** The bytes of the longest request, which is always in the sample. It has fewer tokens. */
  maxTokens: number
  price: string | null
}

/** Counts the tokens of a sample of requests. */
async function countSample(
  { bytes, textAt }: DraftRequests,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<Sampled> {
  const positions = samplePositions(bytes)
  const counted: CountedRow[] = []
  const encoder = new TextEncoder()
  let price: string | null = null
  let maxTokens = 0
  for (const [done, at] of positions.entries()) {
    const text = textAt(at)
    if (text === null) continue
    maxTokens = Math.max(maxTokens, encoder.encode(text).length)
    const startedAt = performance.now()
    const count = await countPatiently(text, signal)
    price = count.price
    counted.push({ bytes: bytes[at] ?? 0, tokens: count.input_tokens })
    report((done + 1) / positions.length)
    await wait(Math.max(0, COUNT_EVERY_MS - (performance.now() - startedAt)))
    if (signal.aborted) break
  }
  return { counted, maxTokens, price }
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

/**
 * Prices requests from the exact tokens of a sample. Give the same object until they change; undefined while they are not
 * known yet, null when there are none.
 */
export function usePrice(requests: DraftRequests | null | undefined): Price {
  const [price, setPrice] = useState<Price>({ phase: "counting", share: 0 })
  const count = useEffectEvent(async (signal: AbortSignal) => {
    setPrice(requests === null ? { phase: "impossible" } : { phase: "counting", share: 0 })
    if (!requests) return
    const report = (share: number) => signal.aborted || setPrice({ phase: "counting", share })
    try {
      const { counted, maxTokens, price: perMillion } = await countSample(requests, report, signal)
      if (signal.aborted) return
      const { tokens, low, high, isExact } = priceRun(requests.bytes, counted)
      const usdOf = (count: number) => costOf(count, parsePricePerMillion(perMillion ?? ""))
      const costs = { cost: usdOf(tokens), low: usdOf(low), high: usdOf(high), most: usdOf(maxTokens) }
      setPrice({ phase: "priced", tokens, ...costs, isExact, counted: counted.length })
    } catch {
      if (!signal.aborted) setPrice({ phase: "failed" })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again for other requests
  useEffect(() => {
    const controller = new AbortController()
    void count(controller.signal)
    return () => controller.abort()
  }, [requests])
  return price
}
