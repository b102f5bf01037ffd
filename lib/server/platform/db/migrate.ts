import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type pg from "pg"

const FOLDER = "prisma/migrations"
const LOCK = 7315003

// The columns of Prisma's own table, so that its tools read our history.
const HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0
)`

async function migrationNames(): Promise<string[]> {
  const entries = await fs.readdir(FOLDER, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function applyMissing(client: pg.PoolClient): Promise<string[]> {
  await client.query(HISTORY)
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL",
  )
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  const fresh: string[] = []
  for (const name of await migrationNames()) {
    const sql = await fs.readFile(path.join(FOLDER, name, "migration.sql"), "utf8")
    const checksum = createHash("sha256").update(sql).digest("hex")
    const known = applied.get(name)
    if (known === checksum) continue
    if (known) throw new Error(`migration ${name} was changed after it was applied`)
    await client.query("BEGIN")
    await client.query(sql)
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
      [randomUUID(), checksum, name],
    )
    await client.query("COMMIT")
    fresh.push(name)
  }
  return fresh
}

/** Applies the migrations that this database has not seen, each in a transaction of its own; answers their names. */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK])
    return await applyMissing(client)
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK]).catch(() => {})
    client.release()
  }
}
