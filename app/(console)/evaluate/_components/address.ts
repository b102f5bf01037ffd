"use client"
import { useSyncExternalStore } from "react"

export type SetTab = "rows" | "questions" | "run" | "results" | "compare" | "probe"

/**
 * Returns the address of a set's tab. The fragment names the tab: if the query changed without the server, two refreshes in quick
 * succession would make Next load the whole page again.
 */
export const addressOf = (setId: string, tab: SetTab, query: Record<string, string> = {}): string =>
  `/evaluate?${new URLSearchParams({ set: setId, ...query })}#${tab}`

const TABS: readonly SetTab[] = ["rows", "questions", "run", "results", "compare", "probe"]

export const tabOf = (value: string): SetTab => TABS.find((tab) => tab === value) ?? "rows"

/** Shows another tab of the open set. The server is not asked: it knows nothing about sets. */
export function showTab(tab: SetTab): void {
  window.history.replaceState(null, "", `#${tab}`)
  window.dispatchEvent(new HashChangeEvent("hashchange"))
}

function listen(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange)
  return () => window.removeEventListener("hashchange", onChange)
}

/** Returns the tab to show. */
export const useTab = (): SetTab =>
  useSyncExternalStore(
    listen,
    () => tabOf(window.location.hash.slice(1)),
    () => "rows",
  )
