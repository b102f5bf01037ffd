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

/**
 * Returns false until the rest of a page that a link opened is painted, then true. It is true at once on a page that is loaded
 * whole, or that the browser returns to.
 */
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

/** Renders a part of the page that may be below the screen after the parts above it, so that a link shows those sooner. */
export function Later({ isNow = false, children }: LaterProps) {
  const isShown = useLater()
  return isNow || isShown ? children : null
}
