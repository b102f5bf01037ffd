"use client"
import { useEffect, useEffectEvent } from "react"

/**
 * Calls `poll` repeatedly until `delayMs` returns null. `delayMs` receives the time since polling started and returns
 * the time until the next call. Changing `isActive` restarts the polling. A data-fetching library would add more code
 * than it saves here.
 */
export function usePoll(
  isActive: boolean,
  delayMs: (elapsedMs: number) => number | null,
  poll: () => Promise<void>,
): void {
  const onPoll = useEffectEvent(poll)
  const nextDelay = useEffectEvent(delayMs)
  useEffect(() => {
    if (!isActive) return
    const startedAt = Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const schedule = () => {
      const delay = nextDelay(Date.now() - startedAt)
      if (delay !== null && !isStopped) timer = setTimeout(() => onPoll().then(schedule), delay)
    }
    schedule()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [isActive])
}
