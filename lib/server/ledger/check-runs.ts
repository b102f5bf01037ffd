import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { sweepHolds } from "./sweep-holds"
import { checkLedger, type LedgerCheck } from "./verify-ledger"

/** A check of the whole ledger. Times are ISO texts. */
export interface LedgerCheckRun {
  id: string
  requestedAt: string
  /** Null while it waits or runs. */
  finishedAt: string | null
  /** How long it ran, in ms; null while it waits or runs. */
  tookMs: number | null
  /** Whether every invariant holds. Null until it is finished, and when it could not be completed. */
  ok: boolean | null
  checks: LedgerCheck[]
}

const REQUEST = `
  INSERT INTO ledger_check (requested_at) SELECT clock_timestamp()
  WHERE NOT EXISTS (SELECT FROM ledger_check WHERE finished_at IS NULL)`

/** Requests a check of the whole ledger, which a server starts within seconds. Joins one that waits or runs. For the operator. */
export async function requestLedgerCheck({ pool }: Runtime, actor: Actor): Promise<void> {
  requireRight(actor, "service.finance")
  await inTransaction(pool, async (client) => {
    // Held until the request is stored, so that concurrent requests do not all find no check to join.
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.ledgerChecks])
    await client.query(REQUEST)
    await recordAudit(client, actor, { action: "ledger.verify" })
  })
}

const NEXT = "SELECT id FROM ledger_check WHERE finished_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
const FINISH =
  "UPDATE ledger_check SET started_at = $2, finished_at = clock_timestamp(), checks = $3 WHERE id = $1 AND finished_at IS NULL"

// Lets PostgreSQL notice within a second that the process of a check is gone. It cannot on Windows.
const NOTICE_DISCONNECT = "SET LOCAL client_connection_check_interval = '1s'"

interface Run {
  id: string
  startedAt: Date
  error?: unknown
}

/**
 * The row lock is the lease: when a process dies, its transaction ends and another process takes the check over. The same happens
 * when `signal` aborts the check, because the connection is closed.
 */
async function runNext(client: PoolClient, signal?: AbortSignal): Promise<Run | null> {
  const { rows } = await client.query<{ id: string }>(NEXT)
  const [next] = rows
  if (!next) return null
  const startedAt = new Date()
  const disconnect = () => void client.end()
  signal?.addEventListener("abort", disconnect)
  try {
    signal?.throwIfAborted()
    await client.query("SAVEPOINT checking")
    await client.query(NOTICE_DISCONNECT).catch(() => client.query("ROLLBACK TO SAVEPOINT checking"))
    const checks = await checkLedger(client)
    await client.query(FINISH, [next.id, startedAt, JSON.stringify(checks)])
    return { id: next.id, startedAt }
  } catch (error) {
    signal?.throwIfAborted()
    await client.query("ROLLBACK TO SAVEPOINT checking")
    await client.query(FINISH, [next.id, startedAt, null])
    return { id: next.id, startedAt, error }
  } finally {
    signal?.removeEventListener("abort", disconnect)
  }
}

/**
 * Runs a requested check that no other process runs, and stores its result. Returns false when there is none. Throws the error
 * of a check that could not be completed. When `signal` aborts a check, rejects and leaves the check requested.
 */
export async function runRequestedCheck(runtime: Runtime, signal?: AbortSignal): Promise<boolean> {
  const { pool } = runtime
  const { rowCount } = await pool.query("SELECT FROM ledger_check WHERE finished_at IS NULL LIMIT 1")
  if (!rowCount) return false
  await sweepHolds(runtime)
  const run = await inTransaction(pool, (client) => runNext(client, signal))
  if (run?.error) throw run.error
  return run !== null
}

/** Stores the result of a check that has just run. */
export async function keepLedgerCheck({ pool }: Runtime, startedAt: Date, checks: LedgerCheck[]): Promise<void> {
  await pool.query(
    "INSERT INTO ledger_check (requested_at, started_at, finished_at, checks) VALUES ($1, $1, clock_timestamp(), $2)",
    [startedAt, JSON.stringify(checks)],
  )
}

interface Row {
  id: string
  requested_at: Date
  started_at: Date | null
  finished_at: Date | null
  checks: LedgerCheck[] | null
}

const runOf = ({ id, requested_at, started_at, finished_at, checks }: Row): LedgerCheckRun => ({
  id,
  requestedAt: requested_at.toISOString(),
  finishedAt: finished_at?.toISOString() ?? null,
  tookMs: finished_at && started_at ? finished_at.getTime() - started_at.getTime() : null,
  ok: checks?.every(({ ok }) => ok) ?? null,
  checks: checks ?? [],
})

const DRIFT = `
  SELECT (SELECT coalesce(sum((c ->> 'violations')::int), 0)::int FROM jsonb_array_elements(checks) AS c) AS drift
  FROM ledger_check WHERE checks IS NOT NULL ORDER BY id DESC LIMIT 1`

/** Returns how many rows violated an invariant at the last check that was completed. Null before the first. */
export async function readLedgerDrift({ pool }: Runtime): Promise<number | null> {
  const { rows } = await pool.query<{ drift: number }>(DRIFT)
  return rows[0]?.drift ?? null
}

/** Returns the last ten checks of the whole ledger, newest first. For the operator. */
export async function listLedgerChecks({ pool }: Runtime, actor: Actor): Promise<LedgerCheckRun[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<Row>("SELECT * FROM ledger_check ORDER BY id DESC LIMIT 10")
  return rows.map(runOf)
}
