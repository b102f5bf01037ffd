import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { functionsVersion } from "@/lib/server/platform/db/functions"
import { readRelease } from "@/lib/server/platform/db/release"
import { appliedMigrations } from "@/lib/server/platform/db/schema-state"
import { BackupRefused, type Bytes, headerLine, jsonLine, Measured, pack } from "./backup-format"
import { type BackupFile, nameOf } from "./backup-place"
import { readSequences, readTables, type Table } from "./backup-tables"
import { checkBackup } from "./check-backup"
import { encrypt } from "./encryption"

export interface Backup {
  /** The path or address of the file. */
  file: string
  bytes: number
  /** The SHA-256 of the whole file, in hexadecimal digits. */
  sha256: string
  /** The newest migration in the backup. */
  schema: string
  takenAt: Date
  isEncrypted: boolean
  /** Tables of the database that are not the service's, and not in the backup. */
  leftOut: string[]
}

/** The secrets that a backup contains or needs. */
export interface BackupSecrets {
  /** The secret that the service generated, which the backup contains; null when `AUTH_SECRET` replaces it. */
  authSecret: string | null
  /** The age identity to whose recipient the file is encrypted; null for a file that is not encrypted. */
  key: string | null
}

// The text of values must not depend on the settings of a role or database.
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0`

const SUMS = `
  SELECT (SELECT coalesce(sum(balance_pico), 0) FROM account)::text AS balance_pico,
    (SELECT coalesce(sum(amount_pico), 0) FROM ledger_entry)::text AS ledger_pico`

async function* copyOf(
  client: pg.ClientBase,
  { name, columns }: Table,
  counts: Record<string, number>,
): AsyncGenerator<Buffer> {
  yield jsonLine({ table: name, columns })
  const stream = client.query(copyTo(`COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`))
  for await (const chunk of stream) yield chunk
  yield Buffer.from("\\.\n")
  counts[name] = stream.rowCount
  yield jsonLine({ rows: stream.rowCount })
}

interface BackupContent {
  schema: string
  takenAt: Date
  leftOut: string[]
  /** The size of the database, which the file will hardly exceed. */
  sizeHint: number
  lines: Bytes
}

async function readContent(client: pg.ClientBase, authSecret: string | null): Promise<BackupContent> {
  const applied = await appliedMigrations(client)
  const schema = [...applied.keys()].at(-1)
  if (!schema) throw new BackupRefused("The database is empty: there is nothing to back up")
  const { rows } = await client.query<{ at: Date; size: string }>(
    "SELECT now() AS at, pg_database_size(current_database()) AS size",
  )
  const [{ at: takenAt, size } = { at: new Date(), size: "0" }] = rows
  const functions = await functionsVersion(client)
  const { tables, others } = await readTables(client, applied, await readRelease())
  const migrations = [...applied].map(([name, checksum]) => ({ name, checksum }))
  async function* lines() {
    yield headerLine({ takenAt: takenAt.toISOString(), schema: schema as string, migrations, functions, authSecret })
    const counts: Record<string, number> = {}
    for (const table of tables) yield* copyOf(client, table, counts)
    const { rows: sums } = await client.query<{ balance_pico: string; ledger_pico: string }>(SUMS)
    yield jsonLine({ sequences: await readSequences(client, tables), tables: counts, sums: sums[0] })
    // Before the file is read back, because the snapshot keeps PostgreSQL from removing old row versions.
    await client.query("COMMIT")
  }
  return { schema, takenAt, leftOut: others, sizeHint: Number(size), lines: lines() }
}

async function* until(signal: AbortSignal | undefined, bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    signal?.throwIfAborted()
    yield chunk
  }
}

type Written = Pick<Backup, "bytes" | "sha256" | "isEncrypted">

/** Writes the file, and reads it back: what is there must be what was sent, and a backup with all that the database had. */
async function writeAndCheck(
  target: BackupFile,
  { lines, sizeHint }: BackupContent,
  key: string | null,
  signal?: AbortSignal,
): Promise<Written> {
  const packed = pack(lines)
  const sent = new Measured(key === null ? packed : encrypt(packed, key))
  const { place, file } = target
  let written: Written | undefined
  const check = async (read: () => Bytes) => {
    const found = await checkBackup(until(signal, read()), nameOf(target), key)
    if (found.sha256 !== sent.sha256()) throw new BackupRefused(`${nameOf(target)} was changed while it was written`)
    written = { bytes: found.bytes, sha256: found.sha256, isEncrypted: found.isEncrypted }
  }
  await place.write(file, sent, check, sizeHint)
  if (!written) throw new Error("A backup was not read back")
  return written
}

const RECORD = "INSERT INTO backup (taken_at, bytes, sha256, schema) VALUES ($1, $2, $3, $4)"

/**
 * Writes the tables of the service to a new file, as of one moment, reads the file back, and records the backup in the database. The
 * service may run meanwhile. Throws `BackupRefused` when the file exists, cannot be read back, or the database is empty. Rejects when
 * `signal` aborts it or the backup cannot be recorded. A complete file may then remain.
 */
export async function createBackup(
  pool: pg.Pool,
  target: BackupFile,
  { authSecret, key }: BackupSecrets,
  signal?: AbortSignal,
): Promise<Backup> {
  await target.place.refuseExisting(target.file)
  const client = await pool.connect()
  // Unlike an abort of the stream, this also ends a statement that waits for a lock.
  const disconnect = () => void client.end()
  signal?.addEventListener("abort", disconnect)
  let backup: Backup
  try {
    signal?.throwIfAborted()
    await client.query(BEGIN)
    const content = await readContent(client, authSecret)
    const { schema, takenAt, leftOut } = content
    const written = await writeAndCheck(target, content, key, signal)
    backup = { file: nameOf(target), ...written, schema, takenAt, leftOut }
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
