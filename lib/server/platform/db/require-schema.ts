import type pg from "pg"
import type { Env } from "@/lib/server/platform/env"
import { migrate } from "./migrate"
import { readRelease, SchemaError } from "./release"
import { requireRights } from "./rights"
import { readSchemaState, type SchemaState } from "./schema-state"

type Role = "server" | "command"

/** Throws `SchemaError` when the database has a migration or functions that this version does not know. */
export function refuseNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return
  throw new SchemaError(
    `The database has a newer schema (${unknown.at(-1)}). Run the version that migrated it; to go back one release, set ALLOW_NEWER_SCHEMA=1`,
  )
}

/**
 * Returns whether this process brings an older database to its schema. A server does so for an embedded database, and for another one
 * with `AUTO_MIGRATE=1`. A command only fills an empty embedded database, which no process uses yet.
 */
function mayMigrate(env: Env, role: Role, { from }: SchemaState): boolean {
  if (role === "server") return !env.DATABASE_URL || env.AUTO_MIGRATE === "1"
  return !env.DATABASE_URL && from === null
}

/** Checks the schema before a process uses the database, and migrates it where `mayMigrate` allows it. Throws `SchemaError`. */
export async function requireSchema(env: Env, role: Role, pool: pg.Pool): Promise<void> {
  const release = await readRelease()
  const client = await pool.connect()
  const state = await readSchemaState(client, release).finally(() => client.release())
  if (state.unknown.length > 0 && env.ALLOW_NEWER_SCHEMA === "1") return
  refuseNewer(state)
  if (state.pending.length === 0) return
  if (mayMigrate(env, role, state)) {
    await requireRights(pool, "migrates", release)
    return void (await migrate(pool, release))
  }
  const found = state.from === null ? "The database is empty" : `The database has an older schema (${state.from})`
  const other = role === "command" ? "" : ", or set AUTO_MIGRATE=1"
  throw new SchemaError(`${found}. Run: npm run operator -- migrate${other}`)
}
