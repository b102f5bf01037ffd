"use client"
import { useEffect, useState } from "react"
import type { KeptRun } from "@/lib/shared/playground/runs/kept-run"
import { clearRuns, listRuns } from "@/lib/shared/playground/runs/run-store"

export type KeptRuns = { state: "loading" } | { state: "unavailable" } | { state: "here"; runs: KeptRun[] }

/** This account's last runs, read when the history is opened. */
export function useKeptRuns(accountId: string): { kept: KeptRuns; clear: () => void } {
  const [kept, setKept] = useState<KeptRuns>({ state: "loading" })
  useEffect(() => {
    let isGone = false
    listRuns(accountId).then(
      (runs) => isGone || setKept({ state: "here", runs }),
      () => isGone || setKept({ state: "unavailable" }),
    )
    return () => {
      isGone = true
    }
  }, [accountId])
  const clear = () => {
    clearRuns(accountId).then(
      () => setKept({ state: "here", runs: [] }),
      () => setKept({ state: "unavailable" }),
    )
  }
  return { kept, clear }
}
