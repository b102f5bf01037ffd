import type { ClientBase, Pool } from "pg"
import { DROP_BATCH, dropInBatches } from "./drop-in-batches"
import type { Row } from "./row"

/**
 * Rows that wait to be sent or settled: written with their cause, sent by a job of any server, retried until that works or they are
 * given up. `next_at` is the time of the next attempt; null once a row was sent or given up.
 */
export type DueTable = "queued_mail" | "webhook_delivery" | "failed_stripe_event"

/** `attempts` is how often it was tried, including this time. */
export type DueRow = Row<"QueuedMail", "id" | "attempts">

/** After this many failed attempts, about two days, a row is given up. */
export const MAX_ATTEMPTS = 50
/** Sent and given-up rows are kept this long. */
const KEPT = "30 days"

/**
 * How many rows are ranked at a time, whether they are sent together, and the column whose values alternate in the ranking. Mails are
 * sent one after another. With a slow mail server the last of many would be due again before it is sent, so each is claimed then.
 */
const BATCHES: Record<DueTable, { size: number; isTogether: boolean; of: "account_id" | "endpoint_id" | "type" }> = {
  queued_mail: { size: 100, isTogether: false, of: "account_id" },
  failed_stripe_event: { size: 20, isTogether: false, of: "type" },
  webhook_delivery: { size: 20, isTogether: true, of: "endpoint_id" },
}

const RANK_EVERY_MS = 5_000

// First attempts come before repeated ones, so receivers that never respond do not delay new rows of others. Many rows of one
// account or endpoint do not delay the first of another.
const rank = (table: DueTable) => `
  WITH ranked AS (
    SELECT id, row_number() OVER (PARTITION BY ${BATCHES[table].of}, attempts > 0 ORDER BY next_at) AS place
    FROM ${table} WHERE next_at <= now()
  )
  SELECT q.id FROM ${table} q JOIN ranked ON ranked.id = q.id WHERE q.next_at <= now()
  ORDER BY q.attempts > 0, ranked.place, q.next_at LIMIT $1 FOR UPDATE OF q SKIP LOCKED`

// The time of the next attempt is set before the row is sent, so that a process that ends meanwhile loses nothing. Attempts are
// 1, 2, 4 and so on up to 60 minutes apart.
const claim = (table: DueTable, ids: string) => `
  UPDATE ${table} SET attempts = attempts + 1, next_at = now() + least(power(2, attempts), 60) * interval '1 minute'
  WHERE id IN (${ids}) AND next_at <= now() RETURNING id, attempts`

type Send = (rows: DueRow[]) => Promise<unknown>

async function sendTogether(pool: Pool, table: DueTable, send: Send): Promise<number> {
  const statement = `WITH due AS (${rank(table)}) ${claim(table, "SELECT id FROM due")}`
  const { rows } = await pool.query<DueRow>(statement, [BATCHES[table].size])
  if (rows.length > 0) await send(rows)
  return rows.length
}

/** Sends ranked rows until it is time to rank again, because rows of other accounts may have been queued meanwhile. */
async function sendOneByOne(pool: Pool, table: DueTable, send: Send): Promise<number> {
  const until = performance.now() + RANK_EVERY_MS
  const { rows: due } = await pool.query<Row<"QueuedMail", "id">>(rank(table), [BATCHES[table].size])
  let sent = 0
  for (const { id } of due) {
    const { rows } = await pool.query<DueRow>(claim(table, "$1"), [id])
    if (rows.length > 0) await send(rows)
    sent += rows.length
    if (sent > 0 && performance.now() > until) break
  }
  return sent
}

/**
 * Passes the due rows to `send`, several together where `BATCHES` says so, and returns how many these were. Each row is claimed by one
 * server. `send` records the outcome, and never rejects for one row alone.
 */
export async function sendDueRows(pool: Pool, table: DueTable, send: Send): Promise<number> {
  const sendBatch = BATCHES[table].isTogether ? sendTogether : sendOneByOne
  let tried = 0
  for (let sent = 1; sent > 0; tried += sent) sent = await sendBatch(pool, table, send)
  return tried
}

/** Records that a row was sent. */
export const markSent = (pool: Pool, table: DueTable, id: string) =>
  pool.query(`UPDATE ${table} SET sent_at = now(), next_at = NULL WHERE id = $1`, [id])

/** Gives up a row, so that it is not sent again unless `sendAgain` makes it due. */
export const giveUp = (pool: Pool, table: DueTable, id: string) =>
  pool.query(`UPDATE ${table} SET next_at = NULL WHERE id = $1`, [id])

/** Makes a given-up row due now and resets its attempts to 0. Returns false when the row was not given up. */
export async function sendAgain(db: Pool | ClientBase, table: DueTable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE ${table} SET next_at = now(), attempts = 0 WHERE id = $1 AND next_at IS NULL AND sent_at IS NULL`,
    [id],
  )
  return rowCount === 1
}

// The first condition finds the rows by their index. No row is sent before it was created.
const drop = (table: DueTable) => `
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table}
    WHERE created_at < now() - interval '${KEPT}' AND coalesce(sent_at, created_at) < now() - interval '${KEPT}'
      AND next_at IS NULL LIMIT $1)`

/** Drops rows 30 days after they were sent, and given-up rows 30 days after they were created. */
export async function dropOldRows(pool: Pool, table: DueTable): Promise<void> {
  await dropInBatches(async () => (await pool.query(drop(table), [DROP_BATCH])).rowCount)
}
