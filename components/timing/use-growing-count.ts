"use client"
import { useEffect, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"

interface Growth {
  first: number
  /** How many items each later frame adds. Choose it so that a frame takes at most 100 ms. */
  more: number
}

/**
 * Returns how many items of a long list to render: the `first` ones, and `more` after each frame until all are shown. The page
 * answers keys in between. A list that is whole stays whole when an item is added.
 */
export function useGrowingCount(total: number, { first, more }: Growth): number {
  const [count, setCount] = useState(first)
  const [known, setKnown] = useState(total)
  if (known !== total) {
    setKnown(total)
    if (count >= known) setCount(Math.max(first, Math.min(known + more, total)))
  }
  const isWhole = count >= total
  // biome-ignore lint/correctness/useExhaustiveDependencies: each count starts the next step
  useEffect(() => {
    if (isWhole) return
    let isGone = false
    afterPaint(() => isGone || setCount((before) => before + more))
    return () => {
      isGone = true
    }
  }, [count, isWhole, more])
  return Math.min(count, total)
}
