"use client"
import { usePoll } from "@/components/timing/use-poll"
import { resultsOf } from "../model/evaluation-store"
import { useOpenSet, useOpenSetStore } from "../model/open-set"
import { refreshRun } from "./refresh-run"

const POLL_EVERY_MS = 2_000

/** Follows a run of another tab by what it stores, and notices when that tab closes. */
export function useFollowing(): void {
  const { getState, replaceRun, showResults } = useOpenSetStore()
  const isElsewhere = useOpenSet(({ run, progress }) => run?.status === "running" && progress === null)
  const readStored = async () => {
    const { run, progress } = getState()
    if (!run || progress) return
    const current = await refreshRun(run)
    if (!current || getState().progress) return
    replaceRun(current)
    if (current.status !== "running") showResults(current.id, await resultsOf(current.id))
  }
  usePoll(
    isElsewhere,
    () => POLL_EVERY_MS,
    () => readStored().catch(() => undefined),
  )
}
