"use client"
import { type ReactNode, startTransition, useEffect, useState, useSyncExternalStore } from "react"
import { afterPaint } from "@/components/overlay"

const RESTORE_MS = 1_000
let returnedAtMs = Number.NEGATIVE_INFINITY

// A page that the browser returns to must have its full height at once, or its scroll position is lost.
if (typeof window !== "undefined")
  window.addEventListener("popstate", () => {
    returnedAtMs = performance.now()
  })

const never = () => () => undefined

/** Shows what may be out of sight: with a page that is loaded whole, or, after a click on a link, once the rest is painted. */
export function Later({ children }: { children: ReactNode }) {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  const [isShown, setShown] = useState(() => isHydrating || performance.now() - returnedAtMs < RESTORE_MS)
  useEffect(() => {
    if (!isShown) afterPaint(() => startTransition(() => setShown(true)))
  }, [isShown])
  return isShown ? children : null
}
