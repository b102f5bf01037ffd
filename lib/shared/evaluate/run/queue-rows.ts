import type { RowResult } from "./evaluation-run"

/** A row to send. `attempt` is kept when a row is sent again, so that the server can charge it once. */
export interface QueuedRow {
  row: number
  attempt: string
  /** When the attempt was first sent (ISO 8601); null for a new one. */
  sentAt: string | null
  /** How the row counts in the totals so far. */
  former: "failed" | "in_doubt" | null
}

/** Which rows a start sends: those not settled, the failed ones, or those that may have been charged. */
export type Sending = "rest" | "failed" | "in_doubt"

/** Returns a new `Idempotency-Key`. */
const newAttempt = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** The server charges an `Idempotency-Key` once within 24 hours. An hour is left for clocks that differ. */
const SAFE_FOR_MS = 23 * 60 * 60_000

/**
 * Returns the rows to send, in the order of the file. Rows in doubt keep their attempt, so that one that was charged is not
 * charged again. `rest` includes them only while the server still knows their attempt.
 */
export function queueOf(
  plan: readonly number[],
  results: readonly RowResult[],
  sending: Sending,
  now = Date.now(),
): QueuedRow[] {
  const byRow = new Map(results.map((result) => [result.row, result]))
  return plan.flatMap((row): QueuedRow[] => {
    const result = byRow.get(row)
    const fresh = { row, attempt: newAttempt(), sentAt: null }
    if (!result || result.status === "waiting") return sending === "rest" ? [{ ...fresh, former: null }] : []
    if (result.status === "failed") return sending === "failed" ? [{ ...fresh, former: "failed" }] : []
    if (result.status !== "in_doubt") return []
    const { attempt, sentAt } = result
    const isSafe = now - Date.parse(sentAt) < SAFE_FOR_MS
    const isWanted = sending === "in_doubt" || (sending === "rest" && isSafe)
    return isWanted ? [{ row, attempt, sentAt, former: "in_doubt" }] : []
  })
}
