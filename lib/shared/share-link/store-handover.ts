import { leaveStored } from "@/lib/shared/browser-storage"
import type { Threshold } from "@/lib/shared/runs/thresholds"

/** The key under which a request waits for the playground. */
export const HANDOVER = "playground-handover"

/**
 * Stores a request for the playground to open, possibly after sign-in, with thresholds as `storableThresholds` returns them. Uses
 * `localStorage`, because the mailed sign-in link may open another tab. Returns false when the browser cannot store it.
 */
export const storeHandover = (requestText: string, thresholds: readonly [string, Threshold][] = []): boolean =>
  leaveStored(HANDOVER, { requestText, thresholds })
