import { readStored } from "@/lib/shared/browser-storage"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { readThresholds } from "@/lib/shared/runs/thresholds"
import { readDraft, repairDraft } from "./draft"
import type { PlaygroundAction } from "./playground-state"

export const thresholdsKey = (accountId: string): string => `playground-thresholds:${accountId}`

/** Restores the thresholds and the draft that this browser stores for the account. */
export function restoreStored(
  { accountId, models, keys }: RunAccount,
  dispatch: (action: PlaygroundAction) => void,
): void {
  dispatch({ type: "thresholds_restored", thresholds: readThresholds(readStored(thresholdsKey(accountId))) })
  const draft = readDraft(accountId)
  dispatch({ type: "draft_restored", draft: draft && repairDraft(draft, models, keys) })
}
