import { runtime } from "@/lib/server/platform/runtime"
import { release } from "./hold"

const SWEEP_BATCH = 500

/** Releases holds that a crash left open past their expiry, one per transaction, and returns their number. Any process may run it. */
export async function sweepHolds(): Promise<number> {
  let released = 0
  while (true) {
    const { rows } = await runtime().pool.query<{ id: string }>(
      "SELECT id FROM hold WHERE state = 'held' AND expires_at <= ledger_now() ORDER BY expires_at LIMIT $1",
      [SWEEP_BATCH],
    )
    for (const { id } of rows) if ((await release(id, "expired")) === "expired") released++
    if (rows.length < SWEEP_BATCH) return released
  }
}
