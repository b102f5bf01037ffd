import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { runtime } from "@/lib/server/platform/runtime"

/** Long after the last retry of a request, so that a late capture or release of a hold still finds it. */
const KEPT_DAYS = 7

export const DROP = `
  DELETE FROM hold WHERE id IN (
    SELECT id FROM hold WHERE state IN ('voided', 'expired') AND resolved_at < ledger_now() - $1 * interval '1 day'
    ORDER BY resolved_at LIMIT $2 FOR UPDATE SKIP LOCKED)`

/**
 * Drops the holds that ended without a charge more than seven days ago, and returns their number. Keeps captured holds: their
 * ledger entries refer to them (docs/decisions/0034). Any server may run it at any time.
 */
export const dropUnpaidHolds = (): Promise<number> =>
  dropInBatches(async () => (await runtime().pool.query(DROP, [KEPT_DAYS, DROP_BATCH])).rowCount)
