import { takeStored, writeStored } from "@/lib/shared/browser-storage"
import { readThresholds, storableThresholds, type Thresholds } from "@/lib/shared/runs/thresholds"

const KEY = "playground-handover"
const VALID_FOR_MS = 60 * 60_000

interface Handover {
  at: number
  requestText: string
  /** As stored. Absent when an older release stored the request. */
  thresholds?: unknown
}

function isHandover(value: unknown): value is Handover {
  if (typeof value !== "object" || value === null) return false
  const { at, requestText }: { [Name in keyof Handover]?: unknown } = value
  return typeof at === "number" && typeof requestText === "string"
}

/**
 * Stores a request for the playground to open, possibly after sign-in. Uses `localStorage`, because the mailed sign-in
 * link may open another tab. Returns false when the browser cannot store it.
 */
export const storeHandover = (requestText: string, thresholds: Thresholds = new Map()): boolean =>
  writeStored(KEY, { at: Date.now(), requestText, thresholds: storableThresholds(thresholds) })

/** Returns the request stored within the last hour and its thresholds, once; null when there is none. */
export function takeHandover(): { requestText: string; thresholds: Thresholds } | null {
  const stored = takeStored(KEY)
  if (!isHandover(stored) || Date.now() - stored.at >= VALID_FOR_MS) return null
  return { requestText: stored.requestText, thresholds: readThresholds(stored.thresholds) }
}
