import type pg from "pg"
import { foreignObjects } from "./foreign-objects"
import { functionState, hasRegistry } from "./functions"
import { type Migration, type Release, SchemaError } from "./release"

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

const HISTORY = "_prisma_migrations"

/** Returns the applied migrations with their checksums, oldest first. Writes nothing. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows: tables } = await client.query("SELECT to_regclass($1) IS NOT NULL AS there", [HISTORY])
  if (!tables[0].there) return new Map()
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name COLLATE "C"',
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

/** How many names of what another program left are shown. */
const NAMED = 10

/** The last migration of version 0.1.0. The first one of this version creates the same database. */
const LAST_OF_0_1_0 = {
  name: "20261123082300_room_in_usage_sums",
  checksum: "644e704a36af07886cf05bc23b9df45581b24722cfee84d1771f5e16f38a7725",
}

/** Returns the applied migrations with the release's first one in place of those of version 0.1.0. Others stay as they are. */
export function withBaseline(applied: Map<string, string>, { migrations }: Pick<Release, "migrations">) {
  const [baseline] = migrations
  if (!baseline || applied.get(LAST_OF_0_1_0.name) !== LAST_OF_0_1_0.checksum) return applied
  const later = [...applied].filter(([name]) => name > LAST_OF_0_1_0.name)
  return new Map([[baseline.name, baseline.checksum], ...later])
}

/** Throws `SchemaError` with the names of what is there when the database belongs to another program. */
async function refuseForeign(
  client: pg.ClientBase,
  history: Map<string, string>,
  { migrations }: Release,
): Promise<void> {
  const names = [migrations[0]?.name ?? "", LAST_OF_0_1_0.name]
  if (names.some((name) => history.has(name)) || (await hasRegistry(client))) return
  const found = await foreignObjects(client)
  const others = found.filter((name) => name !== HISTORY)
  const applied = [...history.keys()].map((name) => `migration ${name}`)
  if (others.length + applied.length === 0) return
  throw new SchemaError(
    `The database belongs to another program: it has ${[...others, ...applied].slice(0, NAMED).join(", ")}. Use an empty one: createdb -E UTF8 -T template0 NAME`,
  )
}

function refuseTooOld(newest: string | undefined, [first]: Migration[], applied: Map<string, string>): void {
  if (!newest || !first || applied.has(first.name) || newest > first.name) return
  throw new SchemaError(
    `The database is older than version 0.1.0 (${newest}). Start version 0.1.0 on it once, then this version`,
  )
}

/**
 * Compares the database with the release. Writes nothing. Throws `SchemaError` when an applied migration was edited, and when the
 * database belongs to another program or is older than version 0.1.0 left it.
 */
export async function readSchemaState(client: pg.ClientBase, release: Release): Promise<SchemaState> {
  const { migrations, functions } = release
  const history = await appliedMigrations(client)
  await refuseForeign(client, history, release)
  const newest = [...history.keys()].at(-1)
  const applied = withBaseline(history, release)
  refuseTooOld(newest, migrations, applied)
  for (const { name, checksum } of migrations)
    if ((applied.get(name) ?? checksum) !== checksum)
      throw new SchemaError(`migration ${name} was changed after it was applied`)
  const known = new Set(migrations.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name)
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  const { newerVersion, changed } = await functionState(client, functions)
  return {
    from: newest ?? null,
    to: migrations.at(-1)?.name ?? null,
    pending: missing.length === 0 && changed ? [`functions/${functions.version}`] : missing,
    unknown: newerVersion === null ? unknown : [`functions/${newerVersion}`, ...unknown],
  }
}
