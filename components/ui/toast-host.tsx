"use client"
import { lazy, Suspense, useEffect, useState } from "react"

// Loads at the first toast, so pages do not wait for it.
const ToastList = lazy(async () => ({ default: (await import("./toast-list")).ToastList }))

let report: ((text: string) => void) | null = null

/**
 * Says in a toast, which disappears by itself, that something was done. An error is never one: it stays where the user can act on it.
 * Needs a `ToastHost` on the page.
 */
export const sayDone = (text: string): void => report?.(text)

/** Shows the toasts of the page that it is in. */
export function ToastHost() {
  const [said, setSaid] = useState<readonly string[]>([])
  useEffect(() => {
    report = (text) => setSaid((before) => [...before, text])
    return () => {
      report = null
    }
  }, [])
  if (said.length === 0) return null
  return (
    <Suspense>
      <ToastList said={said} />
    </Suspense>
  )
}
