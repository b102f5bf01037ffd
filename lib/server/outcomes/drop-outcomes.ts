import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { keptSince } from "@/lib/server/usage/range"

const OF_ACCOUNT = `
  DELETE FROM outcome WHERE (account_id, request_id, question) IN (
    SELECT account_id, request_id, question FROM outcome
    WHERE account_id = $1 AND EXISTS (SELECT FROM outcome_switch WHERE account_id = $1 AND NOT is_on) LIMIT $2)`

const END_ALARMS = `
  DELETE FROM outcome_alarm
  WHERE account_id = $1 AND EXISTS (SELECT FROM outcome_switch WHERE account_id = $1 AND NOT is_on)`

/** Erases the alarms and outcomes of an account whose switch is off, by its UUID, and then the switch. Any process may call it at any time. */
export async function eraseOutcomes({ pool }: Pick<Runtime, "pool">, accountId: string): Promise<void> {
  await pool.query(END_ALARMS, [accountId])
  await dropInBatches(async () => (await pool.query(OF_ACCOUNT, [accountId, DROP_BATCH])).rowCount)
  await pool.query("DELETE FROM outcome_switch WHERE account_id = $1 AND NOT is_on", [accountId])
}

const OLD = `
  DELETE FROM outcome WHERE (account_id, request_id, question) IN (
    SELECT account_id, request_id, question FROM outcome WHERE stored_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`

/**
 * Drops outcomes that were stored more than `RETENTION_DAYS` ago, and those of accounts that turned the keeping off. Any server may run
 * it at any time.
 */
export async function dropOutcomes(runtime: Runtime, now = new Date()): Promise<void> {
  const { pool, env } = runtime
  const { rows } = await pool.query<Row<"OutcomeSwitch", "account_id">>(
    "SELECT account_id FROM outcome_switch WHERE NOT is_on",
  )
  for (const { account_id } of rows) await eraseOutcomes(runtime, account_id)
  const before = keptSince(now, env.RETENTION_DAYS)
  await dropInBatches(async () => (await pool.query(OLD, [before, DROP_BATCH])).rowCount)
}
