"use client"
import { useEffect, useState } from "react"

/**
 * Returns the whole seconds left of a waiting time that starts with the first render; null until the page is interactive.
 * Another `round` starts it again, also with the same `seconds`.
 */
export function useCountdown(seconds: number, round = 0): number | null {
  const [left, setLeft] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round starts the time again
  useEffect(() => {
    const endsAt = performance.now() + seconds * 1_000
    // Measures the time instead of counting ticks, because browsers throttle the timers of background tabs.
    const update = () => {
      const now = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000))
      setLeft(now)
      if (now === 0) clearInterval(timer)
    }
    const timer = setInterval(update, 250)
    update()
    return () => clearInterval(timer)
  }, [seconds, round])
  return left
}
