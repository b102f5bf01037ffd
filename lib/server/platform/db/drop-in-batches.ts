import { setTimeout as sleep } from "node:timers/promises"

/** The most rows that one statement drops. */
export const DROP_BATCH = 1_000

const PAUSE_MS = 20

/**
 * Calls `drop` until it drops less than a full batch, with pauses in between, and returns how many rows it dropped. Each call
 * is a short transaction of its own, so requests hardly wait for it.
 */
export async function dropInBatches(drop: () => Promise<number | null>): Promise<number> {
  for (let total = 0; ; await sleep(PAUSE_MS)) {
    const dropped = (await drop()) ?? 0
    total += dropped
    if (dropped < DROP_BATCH) return total
  }
}
