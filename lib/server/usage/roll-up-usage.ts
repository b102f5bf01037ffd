import { setTimeout as sleep } from "node:timers/promises"
import type { ClientBase } from "pg"
import { nextRange, saveRange } from "@/lib/server/platform/db/job-mark"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"

const BATCH = 10_000
const JOB = "usage"
/** The job pauses after each batch for this many times the batch's duration, so that charges do not wait for it in a busy database. */
const PAUSE = 3

const WITH_NEW_ENTRIES = `
  SELECT account_id AS id FROM (SELECT account_id, max(id) AS last FROM ledger_entry WHERE created_at > $1 AND created_at <= $2 GROUP BY 1) AS recent
    LEFT JOIN usage_mark USING (account_id) WHERE last > coalesce(entry_id, 0)`
const ALL = "SELECT id FROM account"

/**
 * PostgreSQL overestimates the cost of the BRIN index on `created_at`. Without this setting it would scan the index on key, model
 * and time, once for each key and model.
 */
const BEGIN = `BEGIN READ ONLY; SET LOCAL enable_indexscan = off; ${LIMIT_STATEMENTS}`

/** Adds the new entries of these accounts to their sums. An account's mark moves in the transaction of its sums. */
async function rollUp({ pool }: Runtime, accounts: { id: string }[], pause = 0): Promise<number> {
  let added = 0
  for (const { id } of accounts)
    for (let last = BATCH; last === BATCH; added += last) {
      const startedAt = performance.now()
      const result = await pool.query<{ n: number }>("SELECT roll_up_usage($1, $2) AS n", [id, BATCH])
      last = result.rows[0]?.n ?? 0
      if (pause > 0) await sleep(pause * (performance.now() - startedAt), undefined, { ref: false })
    }
  return added
}

/** Adds the new ledger entries of every account to the sums that the usage page reads. Returns how many. */
export async function rollUpUsage(runtime: Runtime): Promise<number> {
  return rollUp(runtime, (await runtime.pool.query<Row<"Account", "id">>(ALL)).rows)
}

/**
 * Adds the new ledger entries of the accounts with entries since the last run, and returns how many. Any server may run it at any
 * time. The usage page adds entries that are in no sum yet, so an account that this run misses still shows correct totals.
 */
export async function rollUpNewUsage(runtime: Runtime): Promise<number> {
  const { pool } = runtime
  const range = await nextRange(pool, JOB)
  if (range.since === "-infinity") {
    const added = await rollUpUsage(runtime)
    await saveRange(pool, JOB, range)
    return added
  }
  const find = (client: ClientBase) => client.query<Row<"Account", "id">>(WITH_NEW_ENTRIES, [range.since, range.until])
  const { rows } = await inTransaction(pool, find, BEGIN)
  const added = await rollUp(runtime, rows, PAUSE)
  await saveRange(pool, JOB, range)
  return added
}
