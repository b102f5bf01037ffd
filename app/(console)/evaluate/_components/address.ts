"use client"
import { useRouter, useSearchParams } from "next/navigation"
import { useEffect, useState, useTransition } from "react"
import { createStore } from "zustand"

export type SetTab = "rows" | "questions" | "run" | "results" | "compare" | "probe"

export const addressOf = (setId: string, tab: SetTab): string => `/evaluate?${new URLSearchParams({ set: setId, tab })}`

const TABS: readonly SetTab[] = ["rows", "questions", "run", "results", "compare", "probe"]

export const tabOf = (value: string | null): SetTab => TABS.find((tab) => tab === value) ?? "rows"

const chosenTab = createStore<{ tab: SetTab | null }>(() => ({ tab: null }))

let isRefreshing = false
/** The address to write after the refresh. */
let laterAddress: string | null = null

/** Shows another tab of the set. The server is not asked: it knows nothing about sets. */
export function showTab(setId: string, tab: SetTab): void {
  chosenTab.setState({ tab })
  laterAddress = addressOf(setId, tab)
  if (!isRefreshing) writeAddress()
}

function writeAddress(): void {
  if (laterAddress !== null) window.history.replaceState(null, "", laterAddress)
  laterAddress = null
}

/** Refreshes the open set's page. Null while no set is open. */
let refreshOpenSet: (() => void) | null = null

/**
 * Lets `refreshPage` refresh the page of the open set, which uses this once. If the address changes during a refresh, Next may load
 * the whole page again, and the chosen run would be lost. So the address of a chosen tab is written afterwards.
 */
export function useRefreshing(): void {
  const router = useRouter()
  const [isPending, startRefresh] = useTransition()
  useEffect(() => {
    refreshOpenSet = () => {
      isRefreshing = true
      startRefresh(() => router.refresh())
    }
    return () => {
      refreshOpenSet = null
      isRefreshing = false
      laterAddress = null
    }
  }, [router])
  useEffect(() => {
    if (isPending) return
    isRefreshing = false
    writeAddress()
  }, [isPending])
}

/** Refreshes what the server renders, such as the balance. */
export function refreshPage(router: { refresh(): void }): void {
  if (refreshOpenSet) refreshOpenSet()
  else router.refresh()
}

/** Returns the tab to show: first that of the address, then the chosen one, whose address may be written later. */
export function useTab(): SetTab {
  const asked = tabOf(useSearchParams().get("tab"))
  const [tab, setTab] = useState(asked)
  useEffect(() => chosenTab.subscribe((chosen) => chosen.tab && setTab(chosen.tab)), [])
  return tab
}
