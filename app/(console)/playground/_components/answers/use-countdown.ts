"use client"
import { useEffect, useState } from "react"

/** Whole seconds left of a wait that begins with the first render. */
export function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const endsAt = performance.now() + seconds * 1_000
    const timer = setInterval(() => {
      // A tab in the background is woken seldom, so that seconds are not counted but measured.
      const now = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000))
      setLeft(now)
      if (now === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
