import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { functionsVersion } from "@/lib/server/platform/db/functions"
import { appliedMigrations } from "@/lib/server/platform/db/schema-state"
import { BackupRefused, headerLine, jsonLine, writeBackupFile } from "./backup-file"

export interface Backup {
  file: string
  bytes: number
  sha256: string
  /** The newest migration in the backup. */
  schema: string
  takenAt: Date
}

// The text of values must not depend on the settings of a role or database.
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0`

const TABLES = `
  SELECT quote_ident(c.relname) AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
    array(SELECT quote_ident(f.relname) FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS parents
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND left(c.relname, 1) <> '_' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.oid, c.relname ORDER BY c.relname`

const SEQUENCES = `
  SELECT quote_ident(c.relname) AS "table", a.attname AS "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`

interface Table {
  name: string
  columns: string[]
  parents: string[]
}

/** Sorts tables so that each comes after those that its foreign keys point to. */
function parentsFirst(tables: Table[]): Table[] {
  const sorted: Table[] = []
  const done = new Set<string>()
  while (sorted.length < tables.length) {
    const next = tables.filter(({ name, parents }) => !done.has(name) && parents.every((parent) => done.has(parent)))
    if (next.length === 0) throw new Error("The foreign keys of the tables form a cycle")
    for (const table of next) done.add(table.name)
    sorted.push(...next)
  }
  return sorted
}

async function* copyOf(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<Buffer> {
  yield jsonLine({ table: name, columns })
  const stream = client.query(copyTo(`COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`))
  for await (const chunk of stream) yield chunk
  yield Buffer.from("\\.\n")
  yield jsonLine({ rows: stream.rowCount })
}

async function sequencesOf(client: pg.ClientBase) {
  const { rows } = await client.query<{ table: string; column: string; name: string }>(SEQUENCES)
  const sequences: object[] = []
  for (const { table, column, name } of rows) {
    const { rows: values } = await client.query(`SELECT last_value AS last, is_called AS called FROM ${name}`)
    sequences.push({ table, column, ...values[0] })
  }
  return sequences
}

interface BackupContent {
  schema: string
  takenAt: Date
  content: AsyncGenerator<Buffer>
}

async function readContent(client: pg.ClientBase, authSecret: string | null): Promise<BackupContent> {
  const applied = await appliedMigrations(client)
  const schema = [...applied.keys()].at(-1)
  if (!schema) throw new BackupRefused("The database is empty: there is nothing to back up")
  const { rows } = await client.query<{ at: Date }>("SELECT now() AS at")
  const takenAt = rows[0]?.at ?? new Date()
  const functions = await functionsVersion(client)
  const { rows: tables } = await client.query<Table>(TABLES)
  const migrations = [...applied].map(([name, checksum]) => ({ name, checksum }))
  async function* content() {
    yield headerLine({ takenAt: takenAt.toISOString(), schema: schema as string, migrations, functions, authSecret })
    for (const table of parentsFirst(tables)) yield* copyOf(client, table)
    yield jsonLine({ sequences: await sequencesOf(client) })
  }
  return { schema, takenAt, content: content() }
}

const RECORD = "INSERT INTO backup (taken_at, bytes, sha256, schema) VALUES ($1, $2, $3, $4)"

/**
 * Writes all tables except those whose names begin with `_` to a new file, as of one moment, and records the backup in the
 * database. The service may run meanwhile. `authSecret` is the secret that the service generated; null when
 * `AUTH_SECRET` replaces it.
 * Throws `BackupRefused` when the file exists or the database is empty. Rejects when `signal` aborts it or the backup cannot be
 * recorded. A complete file may then remain.
 */
export async function createBackup(
  pool: pg.Pool,
  file: string,
  authSecret: string | null,
  signal?: AbortSignal,
): Promise<Backup> {
  const client = await pool.connect()
  // Unlike an abort of the stream, this also ends a statement that waits for a lock.
  const disconnect = () => void client.end()
  signal?.addEventListener("abort", disconnect)
  let backup: Backup
  try {
    signal?.throwIfAborted()
    await client.query(BEGIN)
    const { schema, takenAt, content } = await readContent(client, authSecret)
    backup = { file, ...(await writeBackupFile(file, content)), schema, takenAt }
    await client.query("COMMIT")
    client.release()
  } catch (error) {
    // A connection cannot run ROLLBACK during a COPY, so it is closed.
    client.release(true)
    throw error
  } finally {
    signal?.removeEventListener("abort", disconnect)
  }
  const { bytes, sha256, schema, takenAt } = backup
  // An older schema has no such table.
  const { rows } = await pool.query("SELECT to_regclass('backup') IS NOT NULL AS exists")
  if (rows[0].exists) await pool.query(RECORD, [takenAt, bytes, sha256, schema])
  return backup
}
