import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { dropPartitions } from "@/lib/server/platform/db/partitions"
import type { Runtime } from "@/lib/server/platform/runtime"
import { sweepHolds } from "./sweep-holds"

/** Long after the last retry of a request, so that a late capture or release of a hold still finds it. */
const KEPT_DAYS = 7

// Holds in the default partition: the partition of their day could not be created in time.
const DROP_OTHERS = `
  WITH dropped AS (
    DELETE FROM hold_default WHERE id IN (
      SELECT id FROM hold_default WHERE state <> 'held' AND resolved_at < ledger_now() - $1 * interval '1 day'
      LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id
  ), uncharged AS (DELETE FROM charged_hold USING dropped WHERE hold_id = dropped.id)
  SELECT id FROM dropped`

async function hasOpenHold({ pool }: Runtime, partition: string): Promise<boolean> {
  const { rows } = await pool.query(`SELECT EXISTS (SELECT FROM ${partition} WHERE state = 'held') AS open`)
  return rows[0].open
}

/**
 * Drops the holds of the days that ended more than seven days ago, and returns the number of days. A day with an open hold stays
 * until the hold is released. What a hold was charged stays in the ledger. Any server may run it at any time.
 */
export async function dropSettledHolds(runtime: Runtime): Promise<number> {
  const { pool } = runtime
  const { rows } = await pool.query<{ before: Date }>("SELECT ledger_now() - $1 * interval '1 day' AS before", [
    KEPT_DAYS,
  ])
  const before = rows[0]?.before ?? new Date(0)
  const days = await dropPartitions(pool, "hold", before, async (partition) => {
    if (!(await hasOpenHold(runtime, partition))) return true
    await sweepHolds(runtime, { all: true })
    return !(await hasOpenHold(runtime, partition))
  })
  await dropPartitions(pool, "charged_hold", before, async (partition) => {
    const { rows } = await pool.query("SELECT to_regclass($1) IS NULL AS gone", [partition.replace("charged_", "")])
    return rows[0].gone
  })
  await dropInBatches(async () => (await pool.query(DROP_OTHERS, [KEPT_DAYS, DROP_BATCH])).rowCount)
  return days
}
