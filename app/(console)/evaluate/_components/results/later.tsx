"use client"
import { type ReactNode, useEffect, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"

/** Renders its children in a task of their own, once the page has painted what comes before them. */
export function Later({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    let isCurrent = true
    afterPaint(() => isCurrent && setDue(true))
    return () => {
      isCurrent = false
    }
  }, [])
  return isDue ? children : null
}
