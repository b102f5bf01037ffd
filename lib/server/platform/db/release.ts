import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type FunctionSet, readFunctions } from "./functions"

const FOLDER = "prisma/migrations"
const OUTSIDE = "-- outside a transaction\n"
const CONCURRENT = /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS) (\w+)/

export interface Migration {
  name: string
  sql: string
  checksum: string
}

/** What a checkout brings a database to: its migrations, oldest first, and its functions. */
export interface Release {
  migrations: Migration[]
  functions: FunctionSet
}

/** The database cannot be used or migrated. The message is one line that says what to do. */
export class SchemaError extends Error {
  // The server prints an error with a code in one line.
  readonly code = "schema"
}

export function createMigration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") }
}

/** Reads the release of the working folder. */
export async function readRelease(): Promise<Release> {
  const entries = await fs.readdir(FOLDER, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const migrations = names
    .sort()
    .map(async (name) => createMigration(name, await fs.readFile(path.join(FOLDER, name, "migration.sql"), "utf8")))
  return { migrations: await Promise.all(migrations), functions: await readFunctions() }
}

const TABLE_CHANGE =
  /^(?:(CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?(\w+)|ALTER TABLE (\w+) RENAME TO (\w+))\b(?! \(LIKE | PARTITION OF )/gm

/** Returns the tables that a database has after these migrations, without partitions and those of the migrations themselves. */
export function tablesOf(migrations: Pick<Migration, "sql">[]): Set<string> {
  const tables = new Set<string>()
  for (const { sql } of migrations)
    for (const [, change, name = "", from = "", to = ""] of sql.matchAll(TABLE_CHANGE)) {
      if (change === "CREATE") tables.add(name)
      else tables.delete(change === "DROP" ? name : from)
      if (change === undefined) tables.add(to)
    }
  return tables
}

export interface IndexChange {
  index: string
  sql: string
}

/**
 * Returns the statements of a migration that begins with `-- outside a transaction`, and null for any other. Each must be a
 * concurrent change of an index that can be repeated, because a failure leaves the others applied. Throws otherwise.
 */
export function outsideTransaction({ name, sql }: Migration): IndexChange[] | null {
  if (!sql.startsWith(OUTSIDE)) return null
  const text = sql.replace(/^--.*$/gm, "")
  const statements = text.split(";").flatMap((statement) => statement.trim() || [])
  return statements.map((statement) => {
    const [, index] = CONCURRENT.exec(statement) ?? []
    if (index) return { index, sql: statement }
    throw new SchemaError(`migration ${name} runs outside a transaction: only concurrent changes of indexes may`)
  })
}
