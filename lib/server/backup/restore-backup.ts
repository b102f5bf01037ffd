import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { z } from "zod"
import { applyFunctions } from "@/lib/server/platform/db/functions"
import { applyInside, createHistory } from "@/lib/server/platform/db/migrate"
import type { Migration, Release } from "@/lib/server/platform/db/release"
import { withBaseline } from "@/lib/server/platform/db/schema-state"
import { type BackupHeader, type BackupReader, BackupRefused } from "./backup-file"

const Line = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()).min(1) }),
  z.object({
    sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string(), called: z.boolean() })),
  }),
])
const RowsLine = z.object({ rows: z.number() })

type Sequences = Extract<z.output<typeof Line>, { sequences: unknown }>["sequences"]

const unknownSchema = (schema: string, { migrations }: Release): string =>
  `The backup has ${schema < (migrations[0]?.name ?? "") ? "an older" : "a newer"} schema (${schema}). Restore it with the version that made it`

/**
 * Returns the migrations of the backup and those after it. Throws `BackupRefused` when the release does not know the backup's
 * schema, or has another text of one of its migrations.
 */
export function splitMigrations(header: BackupHeader, release: Release): { before: Migration[]; after: Migration[] } {
  const known = new Map(release.migrations.map((migration) => [migration.name, migration]))
  const applied = withBaseline(new Map(header.migrations.map(({ name, checksum }) => [name, checksum])), release)
  const before = [...applied].map(([name, checksum]) => {
    const migration = known.get(name)
    if (!migration) throw new BackupRefused(unknownSchema(header.schema, release))
    if (migration.checksum === checksum) return migration
    throw new BackupRefused(`The backup was made with another text of migration ${name}`)
  })
  if (header.functions > release.functions.version)
    throw new BackupRefused(unknownSchema(`functions/${header.functions}`, release))
  return { before, after: release.migrations.filter((migration) => !before.includes(migration)) }
}

const IS_EMPTY = `
  SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = current_schema()::regnamespace) AS empty`

const TABLES = `
  SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND left(relname, 1) <> '_'`

async function tablesOf(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  return new Set(rows.map(({ name }) => name))
}

/** Selects the tables and their partitions. A partition has its own triggers, which `TRUNCATE` of its table fires too. */
const WITH_PARTITIONS = `
  SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND left(relname, 1) <> '_'`

async function switchTriggers(client: pg.ClientBase, how: "DISABLE" | "ENABLE"): Promise<void> {
  const { rows } = await client.query<{ name: string }>(WITH_PARTITIONS)
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} ${how} TRIGGER USER`)
}

async function copyRows(
  client: pg.ClientBase,
  reader: BackupReader,
  table: string,
  columns: string[],
): Promise<number> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(", ")}) FROM STDIN`))
  await pipeline(Readable.from(reader.rows(), { objectMode: false }), stream)
  const { rows } = RowsLine.parse(await reader.readLine())
  if (rows !== stream.rowCount)
    throw new BackupRefused(`The backup has ${rows} ${rows === 1 ? "row" : "rows"} of ${table}, not ${stream.rowCount}`)
  return rows
}

async function setSequences(client: pg.ClientBase, sequences: Sequences): Promise<void> {
  for (const { table, column, last, called } of sequences)
    await client.query("SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)", [table, column, last, called])
}

/**
 * Replaces the content of all tables and sequences, and returns the number of rows. Triggers are disabled: they would count the
 * rows again, and refuse to remove the rows that migrations inserted.
 */
async function copyTables(client: pg.ClientBase, reader: BackupReader): Promise<number> {
  const tables = await tablesOf(client)
  await switchTriggers(client, "DISABLE")
  await client.query(`TRUNCATE ${[...tables].join(", ")}`)
  for (let total = 0; ; ) {
    const line = Line.parse(await reader.readLine())
    if ("table" in line) {
      if (!tables.has(line.table))
        throw new BackupRefused(`The backup has a table that its schema lacks: ${line.table}`)
      total += await copyRows(client, reader, line.table, line.columns)
    } else {
      await setSequences(client, line.sequences)
      await switchTriggers(client, "ENABLE")
      return total
    }
  }
}

/**
 * Restores a backup into an empty database in one transaction, then migrates it to the release. Returns the number of rows. Throws
 * `BackupRefused` when the database is not empty or the backup is not complete. A failure leaves the database empty.
 */
export async function restoreInto(
  pool: pg.Pool,
  { header, reader }: { header: BackupHeader; reader: BackupReader },
  release: Release,
): Promise<number> {
  const { before, after } = splitMigrations(header, release)
  const client = await pool.connect()
  try {
    const { rows } = await client.query(IS_EMPTY)
    if (!rows[0].empty) throw new BackupRefused("The database is not empty")
    await client.query(
      "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, MDY'",
    )
    await createHistory(client)
    for (const migration of before) await applyInside(client, migration)
    const count = await copyTables(client, reader)
    for (const migration of after) await applyInside(client, migration)
    await applyFunctions(client, release.functions)
    await client.query("COMMIT")
    await client.query("ANALYZE")
    client.release()
    return count
  } catch (error) {
    // Closing the connection rolls everything back, also within a COPY.
    client.release(true)
    throw error
  }
}
