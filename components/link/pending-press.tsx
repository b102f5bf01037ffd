"use client"
import { useLayoutEffect } from "react"
import { justPressed, mark } from "./pressed"

/** Marks what was pressed while the code of what it opens is loading. The fallback of a `Suspense` that appears with a press. */
export function PendingPress() {
  useLayoutEffect(() => {
    mark(justPressed())
    return () => mark(null)
  }, [])
  return null
}
