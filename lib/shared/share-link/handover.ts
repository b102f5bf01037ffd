import { leaveStored, takeLeft } from "@/lib/shared/browser-storage"
import { readThresholds, storableThresholds, type Thresholds } from "@/lib/shared/runs/thresholds"

const KEY = "playground-handover"

/**
 * Stores a request for the playground to open, possibly after sign-in. Uses `localStorage`, because the mailed sign-in
 * link may open another tab. Returns false when the browser cannot store it.
 */
export const storeHandover = (requestText: string, thresholds: Thresholds = new Map()): boolean =>
  leaveStored(KEY, { requestText, thresholds: storableThresholds(thresholds) })

/** Returns the request stored within the last hour and its thresholds, once; null when there is none. */
export function takeHandover(): { requestText: string; thresholds: Thresholds } | null {
  const { requestText, thresholds } = takeLeft(KEY) ?? {}
  return typeof requestText === "string" ? { requestText, thresholds: readThresholds(thresholds) } : null
}
