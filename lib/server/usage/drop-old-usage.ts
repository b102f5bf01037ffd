import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { dropPartitions } from "@/lib/server/platform/db/partitions"
import type { Row } from "@/lib/server/platform/db/row"
import { firstIdAt } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { keptSince } from "./range"

type LogTable = "request_event" | "request_detail"

// Ids of requests are ordered by time, so the primary key leads to the oldest rows. The cursor skips the rows dropped before.
const dropRows = (table: LogTable): string => `
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE id > $1 AND id < $2 AND created_at < $3 ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
  RETURNING id`

const ACCOUNTS_AT_ONCE = 1_000

// The sums by UTC day are kept for ever. A row that changes meanwhile gets another ctid and stays.
const dropHours = (table: "usage_sum" | "tag_sum" | "usage_error"): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT old.ctid FROM unnest($1::uuid[]) AS a(id) CROSS JOIN LATERAL (
      SELECT ctid FROM ${table} s WHERE s.account_id = a.id AND s.unit = 'hour' AND s.start < $2 ORDER BY s.start LIMIT $3) AS old
    LIMIT $3)) AND unit = 'hour'`

async function dropOldRows({ pool }: Runtime, table: LogTable, before: Date): Promise<number> {
  await dropPartitions(pool, table, before)
  let last = firstIdAt(new Date(0))
  return dropInBatches(async () => {
    const values = [last, firstIdAt(before), before, DROP_BATCH]
    const { rows } = await pool.query<Row<"RequestEvent", "id">>(dropRows(table), values)
    for (const { id } of rows) if (id > last) last = id
    return rows.length
  })
}

async function dropOldHours({ pool }: Runtime, before: Date): Promise<number> {
  let dropped = 0
  for (let after = firstIdAt(new Date(0)); ; ) {
    const { rows } = await pool.query<Row<"Account", "id">>(
      "SELECT id FROM account WHERE id > $1 ORDER BY id LIMIT $2",
      [after, ACCOUNTS_AT_ONCE],
    )
    const ids = rows.map(({ id }) => id)
    for (const table of ["usage_sum", "tag_sum", "usage_error"] as const)
      dropped += await dropInBatches(
        async () => (await pool.query(dropHours(table), [ids, before, DROP_BATCH])).rowCount,
      )
    if (ids.length < ACCOUNTS_AT_ONCE) return dropped
    after = ids.at(-1) ?? after
  }
}

/**
 * Drops the refused requests, the details of all requests and the hourly sums that are older than `RETENTION_DAYS`. Returns how many rows it deleted, without those
 * of whole months, which it drops without reading them. Keeps charges, sums by day and everything else that billing needs. Any server
 * may run it at any time.
 */
export async function dropOldUsage(runtime: Runtime, now = new Date()): Promise<number> {
  const before = keptSince(now, runtime.env.RETENTION_DAYS)
  const rows = [
    await dropOldRows(runtime, "request_event", before),
    await dropOldRows(runtime, "request_detail", before),
  ]
  return rows.reduce((sum, count) => sum + count, await dropOldHours(runtime, before))
}
