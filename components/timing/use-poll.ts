"use client"
import { useEffect, useEffectEvent } from "react"

/**
 * Calls `poll` repeatedly until `nextDelayMs` returns null. `nextDelayMs` receives the time since polling started and
 * returns the delay before the next call, also before the first one. A `poll` that rejects ends the polling. False or 0
 * pauses it, and another value of `active`, such as a higher count, restarts it. A data-fetching library would add more code
 * than it saves here.
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
