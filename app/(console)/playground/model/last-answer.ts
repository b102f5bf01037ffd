import { readStored, writeStored } from "@/lib/shared/browser-storage"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import type { Outcome } from "@/lib/shared/runs/read-outcome"

const keyOf = (accountId: string): string => `playground-last-answer:${accountId}`

/** Remembers which stored run was answered last, so that a page without runs does not load the history's code. */
export const rememberAnswer = (accountId: string, runId: string): boolean => writeStored(keyOf(accountId), runId)

/** Returns the last answer of the account in this browser and when it ran. Null when there is none, or it was cleared. */
export async function readLastAnswer(
  accountId: string,
  models: ModelChoice[],
): Promise<{ outcome: Outcome; at: string } | null> {
  const id = readStored(keyOf(accountId))
  if (typeof id !== "string") return null
  const { findRun, outcomeOf } = await import("./run-history")
  const run = await findRun(accountId, id)
  if (!run) return null
  const outcome = outcomeOf(run, models)
  return outcome?.kind === "answered" ? { outcome, at: run.at } : null
}
