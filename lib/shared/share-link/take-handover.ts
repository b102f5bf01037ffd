import { takeLeft } from "@/lib/shared/browser-storage"
import { readThresholds, type Thresholds } from "@/lib/shared/runs/thresholds"
import { HANDOVER } from "./store-handover"

/** Returns the request stored within the last hour and its thresholds, once; null when there is none. */
export function takeHandover(): { requestText: string; thresholds: Thresholds } | null {
  const { requestText, thresholds } = takeLeft(HANDOVER) ?? {}
  return typeof requestText === "string" ? { requestText, thresholds: readThresholds(thresholds) } : null
}
