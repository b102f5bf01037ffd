import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type pg from "pg"

const FOLDER = "prisma/functions"

const REGISTRY = `CREATE TABLE IF NOT EXISTS _sql_functions (
  name text PRIMARY KEY, checksum varchar(64) NOT NULL, version integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)`

/** The SQL functions of one checkout: one file each, named after the function. */
export interface FunctionSet {
  /** Raised with every change of a file. Of two checkouts, the newer one has the higher version. */
  version: number
  functions: { name: string; sql: string }[]
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Returns the checksum of a whole set. A test compares it with `version.json`, so that no change is made without a new version. */
export const checksumOf = ({ functions }: Pick<FunctionSet, "functions">): string =>
  sha256(functions.map(({ name, sql }) => `${name}\n${sql}`).join("\n"))

/** Reads `prisma/functions`, sorted by name. */
export async function readFunctions(): Promise<FunctionSet> {
  const { version } = JSON.parse(await fs.readFile(path.join(FOLDER, "version.json"), "utf8")) as { version: number }
  const files = (await fs.readdir(FOLDER)).filter((file) => file.endsWith(".sql"))
  const functions = await Promise.all(
    files.map(async (file) => ({
      name: path.basename(file, ".sql"),
      sql: await fs.readFile(path.join(FOLDER, file), "utf8"),
    })),
  )
  return { version, functions: functions.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

interface FunctionState {
  /** The version in the database when it is higher than the set's; else null. */
  newerVersion: number | null
  /** Whether the set has a function to create, replace or drop. False when the database is newer. */
  changed: boolean
}

/** Compares the set with the functions of the database. Writes nothing. */
export async function functionState(client: pg.ClientBase, set: FunctionSet): Promise<FunctionState> {
  const { newerVersion, gone, changed } = await compare(client, set, await hasRegistry(client))
  return { newerVersion, changed: newerVersion === null && gone.length + changed.length > 0 }
}

/** Returns whether a migration of this service has created the table of applied functions. */
export async function hasRegistry(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('_sql_functions') IS NOT NULL AS there")
  return rows[0].there
}

/** Returns the version of the functions in the database; 0 when it has none. Writes nothing. */
export async function functionsVersion(client: pg.ClientBase): Promise<number> {
  if (!(await hasRegistry(client))) return 0
  const { rows } = await client.query("SELECT coalesce(max(version), 0) AS version FROM _sql_functions")
  return rows[0].version
}

async function compare(client: pg.ClientBase, { version, functions }: FunctionSet, isRegistered: boolean) {
  const { rows } = isRegistered
    ? await client.query<{ name: string; checksum: string; version: number }>(
        "SELECT name, checksum, version FROM _sql_functions",
      )
    : { rows: [] }
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const names = new Set(functions.map(({ name }) => name))
  const newest = Math.max(0, ...rows.map((row) => row.version))
  return {
    newerVersion: newest > version ? newest : null,
    changed: functions.filter(({ name, sql }) => applied.get(name) !== sha256(sql)),
    gone: [...applied.keys()].filter((name) => !names.has(name)),
  }
}

/**
 * Creates the functions whose text changed, drops those whose file is gone, and returns the names of both. Does nothing when the
 * database already has a higher version. Needs an open transaction.
 */
export async function applyFunctions(client: pg.ClientBase, set: FunctionSet): Promise<string[]> {
  await client.query(REGISTRY)
  const { newerVersion, gone, changed } = await compare(client, set, true)
  if (newerVersion !== null) return []
  const { version } = set

  // The order of the files does not matter: a body may name a function that is created after it.
  await client.query("SET LOCAL check_function_bodies = off")
  for (const name of gone) {
    await client.query(`DROP ROUTINE IF EXISTS ${name}`)
    await client.query("DELETE FROM _sql_functions WHERE name = $1", [name])
  }
  for (const { name, sql } of changed) {
    await client.query(sql)
    await client.query(
      `INSERT INTO _sql_functions (name, checksum, version) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET checksum = EXCLUDED.checksum, applied_at = now()`,
      [name, sha256(sql), version],
    )
  }
  await client.query("UPDATE _sql_functions SET version = $1 WHERE version < $1", [version])
  return [...gone, ...changed.map(({ name }) => name)].sort()
}
