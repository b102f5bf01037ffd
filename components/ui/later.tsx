"use client"
import { type ReactNode, startTransition, useEffect, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import { useIsHydrating } from "@/components/timing/use-is-hydrating"

const RESTORE_MS = 1_000
let returnedAtMs = Number.NEGATIVE_INFINITY

// A page that the browser returns to must have its full height at once, or its scroll position is lost.
if (typeof window !== "undefined")
  window.addEventListener("popstate", () => {
    returnedAtMs = performance.now()
  })

/** Returns whether to show what may be out of sight. After a click on a link, it is false until the rest is painted. */
export function useLater(): boolean {
  const isHydrating = useIsHydrating()
  const [isShown, setShown] = useState(() => isHydrating || performance.now() - returnedAtMs < RESTORE_MS)
  useEffect(() => {
    if (!isShown) afterPaint(() => startTransition(() => setShown(true)))
  }, [isShown])
  return isShown
}

interface LaterProps {
  /** Shows the children at once, for an address whose hash leads to them or to something below them. */
  isNow?: boolean
  children: ReactNode
}

/**
 * Shows what may be out of sight. A page that is loaded whole has it at once. After a click on a link, it comes once the rest
 * is painted.
 */
export function Later({ isNow = false, children }: LaterProps) {
  const isShown = useLater()
  return isNow || isShown ? children : null
}
