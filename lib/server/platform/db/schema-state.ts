import type pg from "pg"
import { functionState } from "./functions"
import { type Release, SchemaError } from "./release"

/** How the schema of a database compares with that of a release. */
export interface SchemaState {
  /** The newest migration that was applied; null when none was. */
  from: string | null
  /** The newest migration of the release. */
  to: string | null
  /** What is missing, oldest first. Functions are named only when no migration is missing, as in `functions/37`. */
  pending: string[]
  /** What the database has and the release does not know. Not empty means that the database is newer. */
  unknown: string[]
}

/** Returns the applied migrations with their checksums, oldest first. Writes nothing. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there")
  if (!tables[0].there) return new Map()
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name COLLATE "C"',
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

/** Compares the database with the release. Writes nothing. Throws `SchemaError` when an applied migration was edited. */
export async function readSchemaState(client: pg.ClientBase, { migrations, functions }: Release): Promise<SchemaState> {
  const applied = await appliedMigrations(client)
  for (const { name, checksum } of migrations)
    if ((applied.get(name) ?? checksum) !== checksum)
      throw new SchemaError(`migration ${name} was changed after it was applied`)
  const known = new Set(migrations.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name)
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  const { newerVersion, changed } = await functionState(client, functions)
  return {
    from: [...applied.keys()].at(-1) ?? null,
    to: migrations.at(-1)?.name ?? null,
    pending: missing.length === 0 && changed ? [`functions/${functions.version}`] : missing,
    unknown: newerVersion === null ? unknown : [`functions/${newerVersion}`, ...unknown],
  }
}
