import { existsSync } from "node:fs"
import path from "node:path"
import { Command } from "commander"
import type pg from "pg"
import { withAnySchema } from "@/lib/server/platform/db/connect"
import { migrate } from "@/lib/server/platform/db/migrate"
import { type Release, readRelease } from "@/lib/server/platform/db/release"
import { refuseNewer } from "@/lib/server/platform/db/require-schema"
import { findMissingRights, linesOf, type MissingRight } from "@/lib/server/platform/db/rights"
import { readSchemaState, type SchemaState } from "@/lib/server/platform/db/schema-state"
import { type Env, readEnv } from "@/lib/server/platform/env"
import { facts, type Outcome, type RunCommand } from "./outcome"

interface MigrateOptions {
  dryRun?: boolean
}

/**
 * Migrates a database in this state, and reports what was done. `apply` returns the names of what it applied; null for a dry run. Applies
 * nothing when the role lacks a right, which fails the command. Throws `SchemaError` for a newer schema.
 */
async function migrateFrom(
  state: SchemaState,
  missing: MissingRight[],
  apply: (() => Promise<string[]>) | null,
): Promise<Outcome> {
  refuseNewer(state)
  const { from, to } = state
  const mayApply = apply !== null && missing.length === 0
  const applied = mayApply ? await apply() : []
  const pending = mayApply ? [] : state.pending
  const text = facts([
    ["Schema", from ?? "none"],
    ["This version", to ?? "none"],
    ["Applied", applied.join(", ") || "nothing"],
    ["Pending", pending.join(", ") || "nothing"],
  ])
  const json = { from, to, pending, applied, missing_rights: missing }
  return missing.length === 0 ? { json, text } : { json, text, complaint: linesOf(missing) }
}

/** Returns whether the embedded database was never created. A dry run must not create it. */
const isMissing = (env: Env): boolean =>
  !env.DATABASE_URL && !existsSync(path.join(env.DATA_DIR, "postgres", "PG_VERSION"))

const emptyState = ({ migrations }: Release): SchemaState => {
  const names = migrations.map(({ name }) => name)
  return { from: null, to: names.at(-1) ?? null, pending: names, unknown: [] }
}

const inspect = async (client: pg.ClientBase, release: Release): Promise<[SchemaState, MissingRight[]]> => [
  await readSchemaState(client, release),
  await findMissingRights(client, "migrates", release),
]

async function run({ dryRun = false }: MigrateOptions): Promise<Outcome> {
  const env = readEnv()
  const release = await readRelease()
  if (dryRun && isMissing(env)) return migrateFrom(emptyState(release), [], null)
  return withAnySchema(env, async (pool) => {
    const client = await pool.connect()
    const [state, missing] = await inspect(client, release).finally(() => client.release())
    return migrateFrom(
      state,
      missing,
      dryRun
        ? null
        : async () => {
            const { migrations, functions } = await migrate(pool, release)
            // Functions change with the newest migration. They are named only when they change alone.
            const alone = functions.length > 0 ? [`functions/${release.functions.version}`] : []
            return migrations.length > 0 ? migrations : alone
          },
    )
  })
}

/** `migrate` */
export const migrateCommand = (act: RunCommand): Command =>
  new Command("migrate")
    .description("bring the database to the schema of this version")
    .option("--dry-run", "only report what is missing")
    .action((options: MigrateOptions) => act(() => run(options), "settings"))
