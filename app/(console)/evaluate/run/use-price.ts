"use client"
import { useEffect, useEffectEvent, useState } from "react"
import type { TokenCount } from "@/lib/shared/runs/run-cost"
import type { EvaluationSet } from "../model/evaluation-set"
import { useOpenSet, useOpenSetStore } from "../model/open-set"
import { stateOf } from "../model/read-rows"
import type { RowSummary } from "../model/summarize-rows"
import { requestTextOf } from "./ask-row"
import { askedOf } from "./prepare-run"
import { type CountedRow, type PricedRun, priceRun, samplePositions } from "./price-run"

export type Price =
  | { phase: "counting"; share: number }
  /** The questions are invalid, or no row can be used. */
  | { phase: "impossible" }
  | { phase: "failed" }
  | { phase: "priced"; priced: PricedRun; counted: number; price: string | null }

/** The token count takes five requests per second. */
const COUNT_EVERY_MS = 230
const RETRY_AFTER_MS = 1_100

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function countTokens(body: string, signal: AbortSignal): Promise<TokenCount> {
  for (;;) {
    const headers = { "content-type": "application/json" }
    const response = await fetch("/playground/tokens", { method: "POST", headers, body, signal })
    if (response.ok) return (await response.json()) as TokenCount
    if (response.status !== 429) throw new Error(`The token count was refused with ${response.status}.`)
    await wait(RETRY_AFTER_MS)
  }
}

interface Sampled {
  counted: CountedRow[]
  price: string | null
}

/** Counts the tokens of a sample of rows. Rows that the model refuses, such as too long ones, are not part of it. */
async function countSample(
  { set, rows }: { set: EvaluationSet; rows: Parameters<typeof stateOf>[2][] },
  { usable, stateBytes }: RowSummary,
  pinnedId: string,
  report: (share: number) => void,
  signal: AbortSignal,
): Promise<Sampled | null> {
  const asked = askedOf(set.form, pinnedId, null)
  if (!asked || usable.length === 0) return null
  const positions = samplePositions(stateBytes)
  const counted: CountedRow[] = []
  let price: string | null = null
  for (const [done, at] of positions.entries()) {
    const row = rows[usable[at] ?? -1]
    const state = row && stateOf(set, set.mapping, row)
    if (!state) continue
    const startedAt = performance.now()
    const count = await countTokens(requestTextOf(asked, state), signal)
    price = count.price
    counted.push({ bytes: stateBytes[at] ?? 0, tokens: count.input_tokens })
    report((done + 1) / positions.length)
    await wait(Math.max(0, COUNT_EVERY_MS - (performance.now() - startedAt)))
    if (signal.aborted) return null
  }
  return { counted, price }
}

/** Prices a run of all usable rows on a model, from the exact tokens of a sample. */
export function usePrice(pinnedId: string): Price {
  const { getState } = useOpenSetStore()
  const summary = useOpenSet((state) => state.summary)
  const [price, setPrice] = useState<Price>({ phase: "counting", share: 0 })
  const count = useEffectEvent(async (signal: AbortSignal) => {
    if (!summary) return
    setPrice({ phase: "counting", share: 0 })
    const report = (share: number) => signal.aborted || setPrice({ phase: "counting", share })
    try {
      const sampled = await countSample(getState(), summary, pinnedId, report, signal)
      if (signal.aborted) return
      if (!sampled) return setPrice({ phase: "impossible" })
      const { counted } = sampled
      const priced = priceRun(summary.stateBytes, counted)
      setPrice({ phase: "priced", priced, counted: counted.length, price: sampled.price })
    } catch {
      if (!signal.aborted) setPrice({ phase: "failed" })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again for other rows and another model
  useEffect(() => {
    const controller = new AbortController()
    void count(controller.signal)
    return () => controller.abort()
  }, [summary, pinnedId])
  return price
}
