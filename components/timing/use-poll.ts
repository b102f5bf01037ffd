"use client"
import { useEffect, useEffectEvent } from "react"

/**
 * Calls `poll` after each delay that `nextDelayMs` returns for the time since polling started, until it is null or a `poll`
 * rejects. False or 0 pauses it, and another value of `active`, such as a higher count, restarts it. A data-fetching library
 * would add more code than it saves here.
 */
export function usePoll(
  active: boolean | number,
  nextDelayMs: (elapsedMs: number) => number | null,
  poll: () => Promise<void>,
): void {
  const onPoll = useEffectEvent(poll)
  const onNextDelay = useEffectEvent(nextDelayMs)
  useEffect(() => {
    if (!active) return
    const startedAt = Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const schedule = () => {
      const delayMs = onNextDelay(Date.now() - startedAt)
      if (delayMs !== null && !isStopped) timer = setTimeout(() => onPoll().then(schedule), delayMs)
    }
    schedule()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [active])
}
