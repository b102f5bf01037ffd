import { readStored } from "@/lib/shared/browser-storage"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { readThresholds } from "@/lib/shared/runs/thresholds"
import { readDraft, repairDraft } from "./draft"
import type { PlaygroundAction } from "./playground-state"
import { readSharedNotice } from "./shared-notice"

export const thresholdsKey = (accountId: string): string => `playground-thresholds:${accountId}`

/** Restores what this browser stores for the account: thresholds, the draft, and what a shared request replaced. */
export function restoreStored(account: RunAccount, dispatch: (action: PlaygroundAction) => void): void {
  const { accountId, models, keys } = account
  dispatch({ type: "thresholds_restored", thresholds: readThresholds(readStored(thresholdsKey(accountId))) })
  const draft = readDraft(accountId)
  dispatch({ type: "draft_restored", draft: draft && repairDraft(draft, models, keys) })
  dispatch({ type: "notice_restored", notice: readSharedNotice(account) })
}
