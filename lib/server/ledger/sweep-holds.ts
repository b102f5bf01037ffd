import { runtime } from "@/lib/server/platform/runtime"
import { release } from "./resolve-hold"

const BATCH = 500

/** Releases the holds that a crash left open past their time, one per transaction; answers how many. Any instance may run it. */
export async function sweepHolds(): Promise<number> {
  let released = 0
  while (true) {
    const { rows } = await runtime().pool.query<{ id: string }>(
      "SELECT id FROM hold WHERE state = 'held' AND expires_at <= ledger_now() ORDER BY expires_at LIMIT $1",
      [BATCH],
    )
    for (const { id } of rows) if ((await release(id, "expired")) === "expired") released++
    if (rows.length < BATCH) return released
  }
}
