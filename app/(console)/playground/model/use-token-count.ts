"use client"
import { useEffect, useEffectEvent, useRef } from "react"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { countTokens, RECOUNT_AFTER_MS } from "@/lib/shared/runs/count-tokens"
import type { CountedTokens } from "./playground-state"
import { useAccount, usePlayground, usePlaygroundStore } from "./playground-store"
import { requestText } from "./request-state"

/** Long enough to stay within the rate limit of the token count endpoint. */
const COUNT_AFTER_MS = 300

/** Counts a request's tokens. Returns null when the request is invalid or refused for another reason than the rate. */
async function fetchCount(text: string, signal: AbortSignal): Promise<CountedTokens | null | "rate_limited"> {
  const checked = checkRequest(new TextEncoder().encode(text))
  if (!checked.ok) return null
  const count = await countTokens(text, signal)
  if (count === null || count === "rate_limited") return count
  return { count, names: checked.request.questions.map(({ name }) => name) }
}

/** Counts the request's billable tokens at first, and after a pause in typing, a changed balance and a return to the window. */
export function useTokenCount(): void {
  const { balanceUsd } = useAccount()
  const { dispatch, getState } = usePlaygroundStore()
  const isReady = usePlayground((state) => state.isReady)
  const revision = usePlayground(({ request }) => request.settledRevision)
  const pending = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const schedule = useEffectEvent((afterMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(count, afterMs)
    dispatch({ type: "counting_started" })
  })
  const count = useEffectEvent(async () => {
    pending.current?.abort()
    const controller = new AbortController()
    pending.current = controller
    const { request } = getState()
    const counted = await fetchCount(requestText(request), controller.signal).catch(() => null)
    // After a change, the pause in typing starts another count.
    if (controller.signal.aborted || getState().request.revision !== request.revision) return
    if (counted === "rate_limited") return schedule(RECOUNT_AFTER_MS)
    dispatch({ type: "tokens_counted", counted })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again after every pause in typing
  useEffect(() => {
    if (isReady && revision > 0) schedule(COUNT_AFTER_MS)
  }, [revision])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed balance may mean a charge, maybe at a new price
  useEffect(() => {
    if (isReady) schedule(0)
  }, [isReady, balanceUsd])
  useEffect(() => {
    const onFocus = () => schedule(0)
    window.addEventListener("focus", onFocus)
    return () => {
      window.removeEventListener("focus", onFocus)
      clearTimeout(timer.current)
      pending.current?.abort()
    }
  }, [])
}
