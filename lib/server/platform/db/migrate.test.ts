import { readdir } from "node:fs/promises"
import type pg from "pg"
import { describe, expect } from "vitest"
import { scratchTest as it } from "@/test/scratch-database"
import { migrate } from "./migrate"
import { createMigration } from "./release"

const FIRST = "20261127000000_baseline"

const history = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query("SELECT migration_name FROM _prisma_migrations ORDER BY started_at")
  return rows.map((row) => row.migration_name)
}

describe("migrate", () => {
  it("applies every migration once, oldest first, and a second start none", async ({ pool }) => {
    const names = (await readdir("prisma/migrations")).filter((name) => /^\d{14}_/.test(name)).sort()
    expect((await migrate(pool)).migrations).toEqual(names)
    expect(names[0]).toBe(FIRST)
    expect(await history(pool)).toEqual(names)
    expect(await migrate(pool)).toEqual({ migrations: [], functions: [] })
  })

  it("applies each migration once when three processes start together", async ({ pool }) => {
    const applied = await Promise.all([migrate(pool), migrate(pool), migrate(pool)])
    expect(applied.flatMap(({ migrations }) => migrations).sort()).toEqual(await history(pool))
  })

  it("refuses a database that is older than version 0.1.0, and changes nothing", async ({ pool }) => {
    await migrate(pool, {
      migrations: [createMigration("20261122110500_partitions", "CREATE TABLE note (text text)")],
      functions: { version: 0, functions: [] },
    })
    await expect(migrate(pool)).rejects.toThrow(
      "The database is older than version 0.1.0 (20261122110500_partitions). Start version 0.1.0 on it once, then this version",
    )
    expect(await history(pool)).toEqual(["20261122110500_partitions"])
  })

  it("refuses a migration that was changed after it was applied", async ({ pool }) => {
    await migrate(pool)
    await pool.query("UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = $1", [FIRST])
    await expect(migrate(pool)).rejects.toThrow(`migration ${FIRST} was changed after it was applied`)
  })

  it("refuses a database of another program with the names of what is there, and leaves nothing behind", async ({
    pool,
  }) => {
    const created =
      "CREATE TABLE customers (id integer); CREATE FUNCTION total() RETURNS integer LANGUAGE sql AS 'SELECT 1'"
    await pool.query(created)
    await expect(migrate(pool)).rejects.toThrow(
      "The database belongs to another program: it has customers, total(). Use an empty one: createdb -E UTF8 -T template0 NAME",
    )
    const { rows } = await pool.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    expect(rows).toEqual([{ relname: "customers" }])
  })

  it("refuses the history of another program that uses Prisma", async ({ pool }) => {
    await pool.query(
      `CREATE TABLE _prisma_migrations (id text, checksum text, migration_name text, finished_at timestamptz);
       INSERT INTO _prisma_migrations VALUES ('1', 'x', '20991231000000_init', now())`,
    )
    await expect(migrate(pool)).rejects.toThrow(
      "The database belongs to another program: it has migration 20991231000000_init. Use an empty one",
    )
    expect(await history(pool).catch((error: Error) => error.message)).toBe('column "started_at" does not exist')
  })

  it("accepts a database that has only an extension, and one whose first migration failed", async ({ pool }) => {
    await pool.query("CREATE EXTENSION pg_stat_statements")
    const broken = [createMigration(FIRST, "SELECT 1 / 0")]
    await expect(migrate(pool, { migrations: broken })).rejects.toThrow("division by zero")
    expect((await pool.query("SELECT to_regclass('_prisma_migrations') AS history")).rows).toEqual([{ history: null }])
    expect((await migrate(pool)).migrations[0]).toBe(FIRST)
  })
})
