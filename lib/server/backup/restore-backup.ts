import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { foreignObjects, NOT_OF_EXTENSION } from "@/lib/server/platform/db/foreign-objects"
import { applyFunctions } from "@/lib/server/platform/db/functions"
import { applyInside, createHistory } from "@/lib/server/platform/db/migrate"
import type { Migration, Release } from "@/lib/server/platform/db/release"
import { withBaseline } from "@/lib/server/platform/db/schema-state"
import { type BackupHeader, type BackupReader, BackupRefused } from "./backup-format"
import { type LastLine, Line, RowsLine } from "./backup-lines"

/** A backup whose header was read. */
export interface Opened {
  header: BackupHeader
  reader: BackupReader
}

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

const OWN = `
  SELECT quote_ident(c.relname) AS name, c.relispartition AS "isPartition" FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND c.relname NOT IN ('_prisma_migrations', '_sql_functions') AND ${NOT_OF_EXTENSION}`

/** Reads the tables that the migrations have just created in an empty database. A partition has triggers of its own. */
async function ownTables(client: pg.ClientBase): Promise<{ tables: string[]; withPartitions: string[] }> {
  const { rows } = await client.query<{ name: string; isPartition: boolean }>(OWN)
  const tables = rows.filter(({ isPartition }) => !isPartition)
  return { tables: tables.map(({ name }) => name), withPartitions: rows.map(({ name }) => name) }
}

async function switchTriggers(client: pg.ClientBase, tables: string[], how: "DISABLE" | "ENABLE"): Promise<void> {
  for (const name of tables) await client.query(`ALTER TABLE ${name} ${how} TRIGGER USER`)
}

const COLUMNS = `
  SELECT quote_ident(attname) AS name FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`

const TAB = "\t"

/** Leaves out the values of columns that are not kept, from rows in PostgreSQL's text format. */
async function* onlyColumns(rows: AsyncIterable<Buffer>, kept: boolean[]): AsyncGenerator<Buffer> {
  // As bytes, so that a value of any encoding stays as it is.
  for await (const lines of rows) {
    const texts = lines.toString("latin1").split("\n")
    const left = texts.map((line) =>
      line
        .split(TAB)
        .filter((_, i) => kept[i])
        .join(TAB),
    )
    yield Buffer.from(left.join("\n"), "latin1")
  }
}

interface Copied {
  rows: number
  /** Tables and columns of the backup that its schema lacks, because someone else created them. */
  leftOut: string[]
}

async function expectRows(reader: BackupReader, table: string, found: number): Promise<void> {
  const { rows } = RowsLine.parse(await reader.readLine())
  if (rows !== found)
    throw new BackupRefused(`The backup has ${rows} ${rows === 1 ? "row" : "rows"} of ${table}, not ${found}`)
}

async function copyRows(
  client: pg.ClientBase,
  reader: BackupReader,
  { table, columns }: { table: string; columns: string[] },
): Promise<Copied> {
  const { rows: found } = await client.query<{ name: string }>(COLUMNS, [table])
  const kept = columns.map((column) => found.some(({ name }) => name === column))
  const own = columns.filter((_, i) => kept[i])
  const rows = own.length === columns.length ? reader.rows() : onlyColumns(reader.rows(), kept)
  const stream = client.query(copyFrom(`COPY ${table} (${own.join(", ")}) FROM STDIN`))
  await pipeline(Readable.from(rows, { objectMode: false }), stream)
  await expectRows(reader, table, stream.rowCount)
  const leftOut = columns.filter((_, i) => !kept[i]).map((column) => `${table}.${column}`)
  return { rows: stream.rowCount, leftOut }
}

/** Reads past the rows of a table. */
async function skipRows(reader: BackupReader, table: string): Promise<Copied> {
  for await (const _ of reader.rows());
  RowsLine.parse(await reader.readLine())
  return { rows: 0, leftOut: [table] }
}

async function setSequences(
  client: pg.ClientBase,
  sequences: LastLine["sequences"],
  tables: ReadonlySet<string>,
): Promise<void> {
  for (const { table, column, last, called } of sequences)
    if (tables.has(table))
      await client.query("SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)", [table, column, last, called])
}

/**
 * Replaces the content of all tables and sequences. Triggers are disabled: they would count the rows again, and refuse to remove the
 * rows that migrations inserted. Leaves out what the schema lacks: earlier versions also backed up tables of others.
 */
async function copyTables(client: pg.ClientBase, reader: BackupReader): Promise<Copied> {
  const { tables, withPartitions } = await ownTables(client)
  const known = new Set(tables)
  const leftOut: string[] = []
  let rows = 0
  await switchTriggers(client, withPartitions, "DISABLE")
  await client.query(`TRUNCATE ${tables.join(", ")}`)
  for (;;) {
    const line = Line.parse(await reader.readLine())
    if ("sequences" in line) {
      await setSequences(client, line.sequences, known)
      await switchTriggers(client, withPartitions, "ENABLE")
      return { rows, leftOut }
    }
    const copied = known.has(line.table) ? await copyRows(client, reader, line) : await skipRows(reader, line.table)
    rows += copied.rows
    leftOut.push(...copied.leftOut)
  }
}

/**
 * Restores a backup into an empty database in one transaction, then migrates it to the release. The database may have
 * extensions. Throws `BackupRefused` when it has anything else, or the backup is not complete. A failure leaves it as it was.
 */
export async function restoreInto(pool: pg.Pool, { header, reader }: Opened, release: Release): Promise<Copied> {
  const { before, after } = splitMigrations(header, release)
  const client = await pool.connect()
  try {
    const foreign = await foreignObjects(client)
    if (foreign.length > 0) throw new BackupRefused(`The database is not empty: it has ${foreign.join(", ")}`)
    await client.query(
      "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL client_encoding = 'UTF8'; SET LOCAL datestyle = 'ISO, MDY'",
    )
    await createHistory(client)
    for (const migration of before) await applyInside(client, migration)
    const copied = await copyTables(client, reader)
    await reader.end()
    for (const migration of after) await applyInside(client, migration)
    await applyFunctions(client, release.functions)
    await client.query("COMMIT")
    await client.query("ANALYZE")
    client.release()
    return copied
  } catch (error) {
    // Closing the connection rolls everything back, also within a COPY.
    client.release(true)
    throw error
  }
}
