"use client"
import { useCallback, useEffect, useRef } from "react"

/** A function that stays the same and always calls the newest one: for listeners that are added once. */
export function useLatest<Arguments extends unknown[], Result>(
  newest: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const ref = useRef(newest)
  useEffect(() => {
    ref.current = newest
  })
  return useCallback((...args: Arguments) => ref.current(...args), [])
}
