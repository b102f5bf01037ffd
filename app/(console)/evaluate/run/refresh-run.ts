import type { EvaluationRun, RowResult } from "@/lib/shared/evaluate/run/evaluation-run"
import { totalsOf } from "@/lib/shared/evaluate/run/run-accounts"
import { findRun, resultsOf, saveRuns } from "../model/evaluation-store"
import { withSetLock } from "./set-lock"

/**
 * Marks rows that were under way when a tab closed as in doubt, counts the totals again, and pauses a running run. No tab may be
 * running the set.
 */
export async function markInterrupted(run: EvaluationRun): Promise<EvaluationRun> {
  const results = await resultsOf(run.id)
  const lost = results.flatMap((result): RowResult[] =>
    result.status === "sent" ? [{ ...result, status: "in_doubt" }] : [],
  )
  const byRow = new Map([...results, ...lost].map((result) => [result.row, result]))
  const status = run.status === "running" ? { status: "paused" as const, pause: { kind: "interrupted" as const } } : {}
  const marked: EvaluationRun = { ...run, ...status, totals: totalsOf([...byRow.values()]) }
  await saveRuns([marked], lost)
  return marked
}

/** Returns a run as it is stored now; null when it was removed. One whose tab was closed is marked as interrupted first. */
export async function refreshRun(run: EvaluationRun): Promise<EvaluationRun | null> {
  if (run.status === "running")
    await withSetLock(run.setId, async () => {
      const current = await findRun(run.id)
      if (current?.status === "running") await markInterrupted(current)
    })
  return findRun(run.id)
}
