import { nextRange, saveRange } from "@/lib/server/platform/db/job-mark"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { HoldRef } from "./held-request"
import { release } from "./hold"

const SWEEP_BATCH = 500
const JOB = "sweep holds"

// Uses the BRIN index on `expires_at`. No index contains `state`, so ending a hold updates no index.
const EXPIRED = `
  SELECT id, account_id AS "accountId" FROM hold WHERE state = 'held' AND expires_at > $1 AND expires_at <= $2
  ORDER BY expires_at LIMIT $3`

/**
 * Releases holds that a crash left open past their expiry, and returns their number. It reads the holds that expired since the last
 * run, or with `all` every expired hold. Any process may run it.
 */
export async function sweepHolds(runtime: Runtime, { all = false } = {}): Promise<number> {
  const { pool } = runtime
  const range = await nextRange(pool, JOB)
  const since = all ? "-infinity" : range.since
  let released = 0
  while (true) {
    const { rows } = await pool.query<HoldRef>(EXPIRED, [since, range.until, SWEEP_BATCH])
    const states = await Promise.all(rows.map((hold) => release(runtime, hold, "expired")))
    released += states.filter((state) => state === "expired").length
    // A hold stays "held" when PostgreSQL's clock was set back meanwhile. A later run releases it.
    if (rows.length < SWEEP_BATCH || states.every((state) => state === "held")) break
  }
  await saveRange(pool, JOB, range)
  return released
}
