import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { applyFunctions } from "./functions"
import { LOCKS } from "./locks"
import { type IndexChange, type Migration, outsideTransaction, type Release, readRelease, SchemaError } from "./release"
import { readSchemaState } from "./schema-state"

const LOCK_POLL_MS = 100

// SQLSTATE codes.
const DEADLOCK = "40P01"
const LOCK_TIMEOUT = "55P03"

/** How long a migration waits for the locks of its tables. Requests to them wait behind it, so it soon gives up and tries again. */
interface LockWait {
  timeoutMs: number
  attempts: number
  /** The delay before the second attempt. It doubles with each further one, up to 5 s. */
  delayMs: number
}

const LOCK_WAIT: LockWait = { timeoutMs: 2_000, attempts: 15, delayMs: 250 }
const MAX_DELAY_MS = 5_000

// The columns of Prisma's own table, so that its tools can read the history.
const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0
)`

export interface Migrated {
  /** Names of the migrations that this call applied, oldest first. */
  migrations: string[]
  /** Names of the SQL functions that this call created, replaced or dropped. */
  functions: string[]
}

/**
 * Runs `work` in a transaction. Repeats it after a deadlock with running requests and when a lock was not available in time, both of
 * which rolled everything back. Throws `SchemaError` after the last attempt.
 */
async function inRetriedTransaction<Result>(
  client: pg.ClientBase,
  name: string,
  wait: LockWait,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN")
      await client.query(`SET LOCAL lock_timeout = ${wait.timeoutMs}`)
      const result = await work()
      await client.query("COMMIT")
      return result
    } catch (cause) {
      await client.query("ROLLBACK").catch(() => {})
      const { code } = cause as pg.DatabaseError
      if (code !== DEADLOCK && code !== LOCK_TIMEOUT) throw cause
      if (attempt === wait.attempts)
        throw new SchemaError(`${name} could not lock its tables ${attempt} times, and changed nothing. Run it again`, {
          cause,
        })
      await sleep(Math.min(wait.delayMs * 2 ** (attempt - 1), MAX_DELAY_MS))
    }
  }
}

async function recordApplied(client: pg.ClientBase, { name, checksum }: Migration): Promise<void> {
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
    [randomUUID(), checksum, name],
  )
}

/**
 * Applies a migration in the caller's transaction. One that is written to run outside a transaction loses its CONCURRENTLY, so its
 * tables stay locked while their indexes are built.
 */
export async function applyInside(client: pg.ClientBase, migration: Migration): Promise<void> {
  const changes = outsideTransaction(migration)
  await client.query(changes ? migration.sql.replaceAll(" CONCURRENTLY", "") : migration.sql)
  await recordApplied(client, migration)
}

/** Creates or drops indexes while requests read and write. Replaces an invalid index that a failed attempt left. */
async function applyOutside(client: pg.ClientBase, migration: Migration, changes: IndexChange[]): Promise<void> {
  for (const { index, sql } of changes) {
    const { rowCount } = await client.query(
      "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
      [index],
    )
    if (rowCount) await client.query(`DROP INDEX CONCURRENTLY ${index}`)
    await client.query(sql)
  }
  await recordApplied(client, migration)
}

/** Creates Prisma's table of applied migrations if it is missing. */
export const createHistory = (client: pg.ClientBase) => client.query(CREATE_HISTORY)

type Step = { migrations: Migration[] } | { migration: Migration; changes: IndexChange[] }

const DROPS_FUNCTION = /\bDROP (?:FUNCTION|ROUTINE)\b/

/**
 * Returns whether all migrations must share one transaction, even those that are written to run outside one. The functions are
 * created with the last transaction. Until then, running processes would miss one that an earlier migration drops.
 */
const mustStayTogether = (missing: Migration[]): boolean =>
  missing.slice(0, missing.findLastIndex(outsideTransaction)).some(({ sql }) => DROPS_FUNCTION.test(sql))

/** Groups the migrations that can share a transaction. At least one step is a transaction, in which the functions are created. */
function stepsOf(missing: Migration[]): Step[] {
  if (mustStayTogether(missing)) return [{ migrations: missing }]
  const steps: Step[] = []
  for (const migration of missing) {
    const changes = outsideTransaction(migration)
    const last = steps.at(-1)
    if (changes) steps.push({ migration, changes })
    else if (last && "migrations" in last) last.migrations.push(migration)
    else steps.push({ migrations: [migration] })
  }
  return steps.some((step) => "migrations" in step) ? steps : [...steps, { migrations: [] }]
}

async function applyMissing(client: pg.ClientBase, release: Release, wait: LockWait): Promise<Migrated> {
  const { pending, unknown } = await readSchemaState(client, release)
  const missing = release.migrations.filter(({ name }) => pending.includes(name))
  // A database with a migration that this release does not know belongs to a newer one, and so do its functions.
  const applyAllFunctions = () => (unknown.length > 0 ? Promise.resolve([]) : applyFunctions(client, release.functions))
  const steps = stepsOf(missing)
  const lastTransaction = steps.findLast((step) => "migrations" in step)
  const functions: string[] = []
  for (const step of steps) {
    if ("changes" in step) await applyOutside(client, step.migration, step.changes)
    else
      functions.push(
        ...(await inRetriedTransaction(client, step.migrations.at(-1)?.name ?? "functions", wait, async () => {
          await createHistory(client)
          for (const migration of step.migrations) await applyInside(client, migration)
          return step === lastTransaction ? applyAllFunctions() : []
        })),
      )
  }
  return { migrations: missing.map(({ name }) => name), functions }
}

/** Takes the lock of migrations. Polls, because a statement that waits holds a snapshot, for which a concurrent index would wait. */
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS locked", [LOCKS.migrate])
    if (rows[0].locked) return
    await sleep(LOCK_POLL_MS)
  }
}

/**
 * Brings the database to the release's schema, by default the checkout's. Applies the missing migrations and the SQL functions in one
 * transaction, so that running processes never miss a function that is dropped and created again. A migration that must run outside
 * a transaction divides it in two, unless `mustStayTogether`. Concurrent callers wait for each other. Throws `SchemaError` when an
 * applied migration was edited, or when a table stays locked.
 */
export async function migrate(pool: pg.Pool, release: Partial<Release> = {}, wait = LOCK_WAIT): Promise<Migrated> {
  const whole = { ...(await readRelease()), ...release }
  const client = await pool.connect()
  try {
    await lockMigrations(client)
    return await applyMissing(client, whole, wait)
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCKS.migrate]).catch(() => {})
    client.release()
  }
}
