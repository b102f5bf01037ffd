"use client"
import { startTransition, useEffect, useRef, useState } from "react"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import type { TokenCount } from "@/lib/shared/playground/cost"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"

/** After typing has paused; the door has a modest window of its own. */
const COUNT_AFTER_MS = 300
const AGAIN_AFTER_MS = 1_100

interface Counted {
  count: TokenCount
  names: string[]
}

interface CountInput {
  settled: Settled
  requestText: () => string
  ready: boolean
  /** A run changes it, and may have been charged at a new price. */
  balanceUsd: string
}

/** One count; null when the request is refused, "again" when it was asked too often. */
async function fetchCount(text: string, signal: AbortSignal): Promise<Counted | null | "again"> {
  const checked = checkRequest(new TextEncoder().encode(text))
  if (!checked.ok) return null
  const response = await fetch("/playground/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
    signal,
  })
  if (response.status === 429) return "again"
  if (!response.ok) return null
  const count = (await response.json()) as TokenCount
  return { count, names: checked.request.questions.map(({ name }) => name) }
}

/** The tokens of the request as a run would be charged for them, counted again whenever it changes or the page is looked at. */
export function useTokenCount({ settled, requestText, ready, balanceUsd }: CountInput) {
  const [counted, setCounted] = useState<Counted | null>(null)
  const [isCounting, setCounting] = useState(false)
  const underWay = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const count = useLatest(async () => {
    underWay.current?.abort()
    const controller = new AbortController()
    underWay.current = controller
    const answer = await fetchCount(requestText(), controller.signal).catch(() => null)
    if (controller.signal.aborted) return
    if (answer === "again") return later(AGAIN_AFTER_MS)
    // Somebody may be typing on: a key goes before what is drawn here.
    startTransition(() => {
      setCounted(answer)
      setCounting(false)
    })
  })
  const later = useLatest((afterMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(count, afterMs)
    setCounting(true)
  })
  useEffect(() => {
    const onSettled = () => later(COUNT_AFTER_MS)
    const unsubscribe = settled.subscribe(onSettled)
    // From the first key on what is shown is of before.
    const stopTouch = settled.subscribeToTouch(() => setCounting(true))
    const onFocus = () => later(0)
    window.addEventListener("focus", onFocus)
    return () => {
      unsubscribe()
      stopTouch()
      window.removeEventListener("focus", onFocus)
      clearTimeout(timer.current)
      underWay.current?.abort()
    }
  }, [settled, later])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another balance means that something was charged
  useEffect(() => {
    if (ready) later(0)
  }, [ready, balanceUsd, later])
  return { counted, isCounting }
}
