import { readStored, takeStored, writeStored } from "@/lib/shared/browser-storage"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { readThresholds, storableThresholds, type Thresholds } from "@/lib/shared/runs/thresholds"
import { type Draft, parseDraft, repairDraft } from "./draft"

/** Says that a shared request is open, and holds what it replaced. */
export interface SharedNotice {
  kind: "shared"
  /** Not available here, so the first model was chosen. */
  unknownModel: string | null
  /** The text of the shared request. While it is unchanged, another shared request replaces nothing of the user's. */
  openedText: string
  /** What was replaced. */
  draft: Draft
  thresholds: Thresholds
}

const keyOf = (accountId: string): string => `playground-replaced:${accountId}`

/** Stores the notice, so that a reload does not lose the replaced draft. Null removes what is stored. */
export function storeSharedNotice(accountId: string, notice: SharedNotice | null): void {
  if (notice === null) takeStored(keyOf(accountId))
  else writeStored(keyOf(accountId), { ...notice, thresholds: storableThresholds(notice.thresholds) })
}

/** Returns the stored notice; null when there is none, or it is from another version. */
export function readSharedNotice({ accountId, models, keys }: RunAccount): SharedNotice | null {
  const stored = readStored(keyOf(accountId))
  if (typeof stored !== "object" || stored === null) return null
  const { unknownModel, openedText, draft, thresholds }: { [Name in keyof SharedNotice]?: unknown } = stored
  const replaced = parseDraft(draft)
  if (replaced === null || typeof openedText !== "string") return null
  return {
    kind: "shared",
    unknownModel: typeof unknownModel === "string" ? unknownModel : null,
    openedText,
    draft: repairDraft(replaced, models, keys),
    thresholds: readThresholds(thresholds),
  }
}
