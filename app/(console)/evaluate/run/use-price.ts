"use client"
import { useEffect, useEffectEvent, useState } from "react"
import type { DraftRequests } from "@/lib/shared/evaluate/run/draft-requests"
import { type CountedRow, type Price, priceRun, samplePositions } from "@/lib/shared/evaluate/run/price-run"
import { costOfAll, parsePricePerMillion, pico } from "@/lib/shared/money"
import { countTokens, RECOUNT_AFTER_MS } from "@/lib/shared/runs/count-tokens"
import type { TokenCount } from "@/lib/shared/runs/run-cost"

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
      const pricePico = parsePricePerMillion(perMillion ?? "") ?? pico(0)
      const usdOf = (count: number) => costOfAll(requests.bytes.length, count, pricePico)
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
