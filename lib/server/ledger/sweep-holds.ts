import { runtime } from "@/lib/server/platform/runtime"
import { type HoldRef, release } from "./release-hold"

const SWEEP_BATCH = 500

/** Releases holds that a crash left open past their expiry, and returns their number. Any process may run it. */
export async function sweepHolds(): Promise<number> {
  let released = 0
  while (true) {
    const { rows } = await runtime().pool.query<HoldRef>(
      `SELECT id, account_id AS "accountId" FROM hold WHERE state = 'held' AND expires_at <= ledger_now() ORDER BY expires_at LIMIT $1`,
      [SWEEP_BATCH],
    )
    const states = await Promise.all(rows.map((hold) => release(hold, "expired")))
    released += states.filter((state) => state === "expired").length
    if (rows.length < SWEEP_BATCH) return released
  }
}
