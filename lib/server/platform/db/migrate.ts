import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type pg from "pg"
import { applyFunctions, type FunctionSet, readFunctions } from "./functions"

const FOLDER = "prisma/migrations"
const LOCK = 7315003

const DEADLOCK = "40P01"
const MAX_ATTEMPTS = 5

// The columns of Prisma's own table, so that its tools can read the history.
const HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0
)`

interface Migration {
  name: string
  sql: string
  checksum: string
}

export interface Migrated {
  /** Names of the migrations that this call applied, oldest first. */
  migrations: string[]
  /** Names of the SQL functions that this call created, replaced or dropped. */
  functions: string[]
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await fs.readdir(FOLDER, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    folders.sort().map(async (name) => {
      const sql = await fs.readFile(path.join(FOLDER, name, "migration.sql"), "utf8")
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") }
    }),
  )
}

/** Runs `work` in a transaction. Retries after a deadlock with running requests, which rolled everything back; five attempts at most. */
async function inRetriedTransaction<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN")
      const result = await work()
      await client.query("COMMIT")
      return result
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      if ((error as pg.DatabaseError).code !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function applyOne(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(sql)
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
    [randomUUID(), checksum, name],
  )
}

async function applyMissing(client: pg.PoolClient, known: Migration[], functions: FunctionSet): Promise<Migrated> {
  await client.query(HISTORY)
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL",
  )
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  for (const { name, checksum } of known)
    if ((applied.get(name) ?? checksum) !== checksum)
      throw new Error(`migration ${name} was changed after it was applied`)
  const names = new Set(known.map(({ name }) => name))
  // A database with a migration that this checkout does not know belongs to a newer release, and so do its functions.
  const isNewer = [...applied.keys()].some((name) => !names.has(name))
  const applyAllFunctions = () => (isNewer ? Promise.resolve([]) : applyFunctions(client, functions))

  const missing = known.filter(({ name }) => !applied.has(name))
  for (const migration of missing.slice(0, -1)) await inRetriedTransaction(client, () => applyOne(client, migration))
  const newest = missing.at(-1)
  const changed = await inRetriedTransaction(client, async () => {
    if (newest) await applyOne(client, newest)
    return applyAllFunctions()
  })
  return { migrations: missing.map(({ name }) => name), functions: changed }
}

/**
 * Brings the database to this checkout's schema. Each missing migration is applied in its own transaction. The SQL
 * functions are replaced in the transaction of the newest one, so that they never run on tables older than they expect.
 * Concurrent callers wait for each other. Throws when an applied migration was edited.
 */
export async function migrate(pool: pg.Pool, functions?: FunctionSet): Promise<Migrated> {
  const [known, set] = [await readMigrations(), functions ?? (await readFunctions())]
  const client = await pool.connect()
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK])
    return await applyMissing(client, known, set)
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK]).catch(() => {})
    client.release()
  }
}
