import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { runtime } from "@/lib/server/platform/runtime"

const DROP = `
  DELETE FROM idempotency_key WHERE (account_id, key_sha256) IN (
    SELECT account_id, key_sha256 FROM idempotency_key WHERE expires_at < ledger_now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

/**
 * Drops the idempotency keys that were charged more than 24 hours ago, and claims that a crash left behind. Returns their
 * number. Any server may run it at any time.
 */
export const dropIdempotencyKeys = (): Promise<number> =>
  dropInBatches(async () => (await runtime().pool.query(DROP, [DROP_BATCH])).rowCount)
