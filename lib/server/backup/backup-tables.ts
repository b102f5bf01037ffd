import type pg from "pg"
import { type Release, tablesOf } from "@/lib/server/platform/db/release"
import { withBaseline } from "@/lib/server/platform/db/schema-state"
import { BackupRefused } from "./backup-format"

export interface Table {
  /** The name as SQL writes it. */
  name: string
  columns: string[]
  /** The tables that its foreign keys point to. */
  parents: string[]
}

const HISTORIES = ["_prisma_migrations", "_sql_functions"]

const TABLES = `
  SELECT quote_ident(c.relname) AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
    array(SELECT quote_ident(f.relname) FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS parents
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> ALL ($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.oid, c.relname ORDER BY c.relname`

/** Returns the names of the tables after these migrations; null when the release does not know all of them. */
function expectedTables(applied: Map<string, string>, release: Release): Set<string> | null {
  const names = [...withBaseline(applied, release).keys()]
  const migrations = release.migrations.filter(({ name }) => names.includes(name))
  return migrations.length === names.length ? tablesOf(migrations) : null
}

/** Sorts tables so that each comes after those that its foreign keys point to. */
function parentsFirst(tables: Table[]): Table[] {
  const waiting = new Set(tables.map(({ name }) => name))
  const sorted: Table[] = []
  while (waiting.size > 0) {
    const next = tables.filter(({ name, parents }) => waiting.has(name) && !parents.some((each) => waiting.has(each)))
    if (next.length === 0) throw new Error("The foreign keys of the tables form a cycle")
    for (const { name } of next) waiting.delete(name)
    sorted.push(...next)
  }
  return sorted
}

/**
 * Returns the tables of the database's schema, each after those that it refers to, and the names of others that someone else created.
 * In a database with a newer schema than the release's, every table counts as its own. Throws `BackupRefused` when one is missing.
 */
export async function readTables(
  client: pg.ClientBase,
  applied: Map<string, string>,
  release: Release,
): Promise<{ tables: Table[]; others: string[] }> {
  const { rows: found } = await client.query<Table>(TABLES, [HISTORIES])
  const expected = expectedTables(applied, release)
  if (expected === null) return { tables: parentsFirst(found), others: [] }
  const missing = [...expected].filter((name) => !found.some((table) => table.name === name))
  if (missing.length > 0) throw new BackupRefused(`The database lacks a table of its schema: ${missing.join(", ")}`)
  const others = found.map(({ name }) => name).filter((name) => !expected.has(name))
  return { tables: parentsFirst(found.filter(({ name }) => expected.has(name))), others }
}

const SEQUENCES = `
  SELECT quote_ident(c.relname) AS "table", a.attname AS "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND quote_ident(c.relname) = ANY ($1)
    AND a.attnum > 0 AND NOT a.attisdropped AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`

/** Returns the positions of the sequences of these tables. */
export async function readSequences(client: pg.ClientBase, tables: Table[]): Promise<object[]> {
  const { rows } = await client.query<{ table: string; column: string; name: string }>(SEQUENCES, [
    tables.map(({ name }) => name),
  ])
  const sequences: object[] = []
  for (const { table, column, name } of rows) {
    const { rows: values } = await client.query(`SELECT last_value AS last, is_called AS called FROM ${name}`)
    sequences.push({ table, column, ...values[0] })
  }
  return sequences
}
