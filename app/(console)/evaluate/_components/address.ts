"use client"
import { useSearchParams } from "next/navigation"
import { useEffect, useState } from "react"
import { createStore } from "zustand"

export type SetTab = "rows" | "questions" | "run" | "results" | "compare" | "probe"

export const addressOf = (setId: string, tab: SetTab): string => `/evaluate?${new URLSearchParams({ set: setId, tab })}`

const TABS: readonly SetTab[] = ["rows", "questions", "run", "results", "compare", "probe"]

export const tabOf = (value: string | null): SetTab => TABS.find((tab) => tab === value) ?? "rows"

const chosenTab = createStore<{ tab: SetTab | null }>(() => ({ tab: null }))

/** Shows another tab of the set. The server is not asked: it knows nothing about sets. */
export function showTab(setId: string, tab: SetTab): void {
  chosenTab.setState({ tab })
  window.history.replaceState(null, "", addressOf(setId, tab))
}

/**
 * Returns the tab to show: first that of the address, then the chosen one. Next's router can lose an address that changes while
 * it refreshes the page, so a chosen tab does not wait for the address.
 */
export function useTab(): SetTab {
  const asked = tabOf(useSearchParams().get("tab"))
  const [tab, setTab] = useState(asked)
  useEffect(() => chosenTab.subscribe((chosen) => chosen.tab && setTab(chosen.tab)), [])
  return tab
}
