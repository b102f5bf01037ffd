"use client"
import { type ReactNode, startTransition, useEffect, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"

/** Renders its children once the page has painted what comes before them. Each component is a task of its own, as in any transition. */
export function Later({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    let isCurrent = true
    afterPaint(() => isCurrent && startTransition(() => setDue(true)))
    return () => {
      isCurrent = false
    }
  }, [])
  return isDue ? children : null
}
