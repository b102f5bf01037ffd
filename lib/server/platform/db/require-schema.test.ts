import type pg from "pg"
import { describe, expect } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { scratchTest as it } from "@/test/scratch-database"
import { migrate } from "./migrate"
import { readRelease } from "./release"
import { requireSchema } from "./require-schema"

const OWN = { DATABASE_URL: "postgres://localhost/db" }
const newest = async () => (await readRelease()).migrations.at(-1)?.name ?? ""

/** Migrates to the release before the newest migration. */
async function migrateToOlder(pool: pg.Pool): Promise<string> {
  const { migrations } = await readRelease()
  await migrate(pool, { migrations: migrations.slice(0, -1), functions: { version: 0, functions: [] } })
  return migrations.at(-2)?.name ?? ""
}

async function migrateToNewer(pool: pg.Pool): Promise<void> {
  await migrate(pool)
  await pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_new', now())`,
  )
}

const tables = async (pool: pg.Pool) =>
  (await pool.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rowCount
const newestOf = async (pool: pg.Pool) =>
  (await pool.query("SELECT max(migration_name) AS name FROM _prisma_migrations")).rows[0].name

describe("a database of the operator's own", () => {
  it.for([
    ["server", "The database is empty. Run: npm run operator -- migrate, or set AUTO_MIGRATE=1"],
    ["command", "The database is empty. Run: npm run operator -- migrate"],
  ] as const)("that is empty is refused by a %s, and nothing is written", async ([role, message], { pool }) => {
    await expect(requireSchema(readEnv(OWN), role, pool)).rejects.toThrow(message)
    expect(await tables(pool)).toBe(0)
  })

  it("that is older is refused by server and command, except for a server with AUTO_MIGRATE=1", async ({ pool }) => {
    const older = await migrateToOlder(pool)
    const message = `The database has an older schema (${older}). Run: npm run operator -- migrate`
    await expect(requireSchema(readEnv(OWN), "server", pool)).rejects.toThrow(`${message}, or set AUTO_MIGRATE=1`)
    const auto = readEnv({ ...OWN, AUTO_MIGRATE: "1" })
    await expect(requireSchema(auto, "command", pool)).rejects.toThrow(message)
    expect(await newestOf(pool)).toBe(older)
    await requireSchema(auto, "server", pool)
    expect(await newestOf(pool)).toBe(await newest())
    await requireSchema(readEnv(OWN), "command", pool)
  })

  it("whose functions are older is refused, and so are newer ones", async ({ pool }) => {
    const { functions } = await readRelease()
    await migrate(pool, { functions: { version: 1, functions: functions.functions.slice(1) } })
    await expect(requireSchema(readEnv(OWN), "server", pool)).rejects.toThrow("The database has an older schema")
    await migrate(pool, { functions: { ...functions, version: 1_000_000 } })
    await expect(requireSchema(readEnv(OWN), "server", pool)).rejects.toThrow(
      "The database has a newer schema (functions/1000000). ",
    )
  })
})

describe("an embedded database", () => {
  it.for(["server", "command"] as const)("that is empty is filled by a %s", async (role, { pool }) => {
    await requireSchema(readEnv({}), role, pool)
    expect(await newestOf(pool)).toBe(await newest())
  })

  it("that is older is migrated by a server, and refused by a command", async ({ pool }) => {
    const older = await migrateToOlder(pool)
    await expect(requireSchema(readEnv({}), "command", pool)).rejects.toThrow(
      `The database has an older schema (${older}). Run: npm run operator -- migrate`,
    )
    await requireSchema(readEnv({}), "server", pool)
    expect(await newestOf(pool)).toBe(await newest())
  })
})

it.for([
  ["embedded", {}],
  ["own", OWN],
] as const)("a newer database (%s) is refused unless ALLOW_NEWER_SCHEMA=1", async ([, settings], { pool }) => {
  await migrateToNewer(pool)
  for (const role of ["server", "command"] as const) {
    await expect(requireSchema(readEnv({ ...settings, AUTO_MIGRATE: "1" }), role, pool)).rejects.toThrow(
      "The database has a newer schema (29990101000000_new). Run the version that migrated it; to go back one release, set ALLOW_NEWER_SCHEMA=1",
    )
    await requireSchema(readEnv({ ...settings, ALLOW_NEWER_SCHEMA: "1" }), role, pool)
  }
})
