"use client"
import { useEffect, useState } from "react"

/** The tabs of a set in their order. */
export const SET_TABS = ["rows", "questions", "run", "results", "compare", "robustness", "signoff"] as const
export type SetTab = (typeof SET_TABS)[number]

/**
 * Returns the address of a set's tab. The tab is in the fragment, because a query that changes without the server makes Next load
 * the whole page again after two refreshes in quick succession.
 */
export const addressOf = (setId: string, tab: SetTab, query: Record<string, string> = {}): string =>
  `/evaluate?${new URLSearchParams({ set: setId, ...query })}#${tab}`

export const tabOf = (value: string, otherwise: SetTab = "rows"): SetTab =>
  SET_TABS.find((tab) => tab === value) ?? otherwise

/** Shows another tab of the open set, which Back leaves again. The server is not asked: it knows nothing about sets. */
export function showTab(tab: SetTab): void {
  if (window.location.hash === `#${tab}`) return
  window.history.pushState(null, "", `#${tab}`)
  window.dispatchEvent(new HashChangeEvent("hashchange"))
}

const tabOfAddress = (otherwise?: SetTab): SetTab => tabOf(window.location.hash.slice(1), otherwise)

/** Returns the tab to show: the first one without a fragment. One that names no tab, such as that of "Skip to content", keeps the tab. */
export function useTab(): SetTab {
  const [tab, setTab] = useState(() => tabOfAddress())
  useEffect(() => {
    const follow = () => setTab((shown) => tabOfAddress(window.location.hash ? shown : undefined))
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [])
  return tab
}
