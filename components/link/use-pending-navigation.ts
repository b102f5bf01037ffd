"use client"
import { useEffect, useOptimistic } from "react"
import { onNavigationStart } from "@/lib/shared/navigation-start"

/** Returns the address of the page that the tab is loading; null while it loads none. Covers links, the history and the router. */
export function usePendingNavigation(): string | null {
  // The navigation starts in the transition that shows the page, so React resets the value when the page is shown.
  const [to, setTo] = useOptimistic<string | null>(null)
  useEffect(() => onNavigationStart(setTo), [setTo])
  return to
}
