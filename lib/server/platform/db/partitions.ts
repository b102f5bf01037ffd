import type pg from "pg"
import { LOCKS } from "./locks"
import { inTransaction } from "./transaction"

/**
 * Requests queue behind a statement that waits for a table's lock, so a change of partitions soon gives way to them. The advisory
 * lock keeps processes from changing partitions at the same time.
 */
const BEGIN = `BEGIN; SET LOCAL lock_timeout = '200ms'; SELECT pg_advisory_xact_lock(${LOCKS.partitions})`

const LOCKED = ["55P03", "40P01"]
/** Another process has created or dropped the partition since. */
const DONE_ELSEWHERE = ["42P07", "42P17", "42P01"]
/** Rows of the new partition's time are in the default partition. They stay there. */
const IN_DEFAULT = "23514"

/** Returns false if requests hold the locks, another process made the change, or the default partition has rows of that time. */
async function change(pool: pg.Pool, text: string, values: unknown[] = []): Promise<boolean> {
  try {
    await inTransaction(pool, (client) => client.query(text, values), BEGIN)
    return true
  } catch (error) {
    const { code = "" } = error as pg.DatabaseError
    if ([...LOCKED, ...DONE_ELSEWHERE, IN_DEFAULT].includes(code)) return false
    throw error
  }
}

interface Missing {
  parent: string
  since: string
  until: string
}

/**
 * Creates the partitions of the coming months and days that do not exist yet, and returns how many it created. What it cannot create
 * now is left for the next run: rows without a partition of their own go to the default partition. Any process may run it.
 */
export async function addPartitions(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<Missing>("SELECT parent, since::text, until::text FROM missing_partitions()")
  let added = 0
  for (const { parent, since, until } of rows)
    if (await change(pool, "SELECT add_partition($1, $2, $3)", [parent, since, until])) added++
  return added
}

type PartitionedTable = "ledger_entry" | "request_event" | "request_detail" | "audit_event" | "hold" | "charged_hold"

/** The tables of which drop_partition drops partitions. */
type ExpiringTable = "request_event" | "request_detail" | "hold" | "charged_hold"

/** Drops the partitions of a table whose rows are all older than `before`, if `mayDrop` allows it, and returns how many. */
export async function dropPartitions(
  pool: pg.Pool,
  table: ExpiringTable,
  before: Date,
  mayDrop: (partition: string) => Promise<boolean> = async () => true,
): Promise<number> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM expired_partitions($1, $2)", [table, before])
  let dropped = 0
  for (const { name } of rows)
    if ((await mayDrop(name)) && (await change(pool, "SELECT drop_partition($1, $2, $3)", [table, name, before])))
      dropped++
  return dropped
}

export interface PartitionState {
  table: PartitionedTable
  /** Seconds from now for which the table has partitions. */
  secondsAhead: number
  /** Rows in the default partition, counted up to 1,000. There should be none. */
  defaultRows: number
}

const STATES = `
  SELECT parent AS "table", (SELECT coalesce(extract(epoch FROM min(at) - ledger_now()), 0)::float8 FROM (
      SELECT s AS at FROM generate_series(date_trunc(unit, ledger_now(), 'UTC'), ledger_now() + ahead + step, step) AS s
      WHERE NOT EXISTS (SELECT FROM partitions_of(parent, s) WHERE has_time)) AS gaps) AS "secondsAhead"
  FROM partitioned_tables()`

/** Returns the state of every partitioned table. */
export async function readPartitionStates(pool: pg.Pool): Promise<PartitionState[]> {
  const { rows } = await pool.query<Omit<PartitionState, "defaultRows">>(STATES)
  const counts = rows.map(
    ({ table }) =>
      `SELECT '${table}' AS "table", count(*)::int AS n FROM (SELECT FROM ${table}_default LIMIT 1000) AS first`,
  )
  const { rows: counted } = await pool.query<{ table: string; n: number }>(counts.join(" UNION ALL "))
  const ofTable = new Map(counted.map(({ table, n }) => [table, n]))
  return rows.map((row) => ({ ...row, defaultRows: ofTable.get(row.table) ?? 0 }))
}
