import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import type pg from "pg"
import { describe, expect, it } from "vitest"
import { onScratchDatabase } from "@/test/scratch-database"
import { migrate } from "./migrate"

const FIRST = "20261120000000_foundation"

const history = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query("SELECT migration_name FROM _prisma_migrations ORDER BY started_at")
  return rows.map((row) => row.migration_name)
}

describe("migrate", () => {
  it("applies every migration once, oldest first, and a second start none", async () => {
    const names = (await readdir("prisma/migrations")).filter((name) => /^\d{14}_/.test(name)).sort()
    await onScratchDatabase(async (pool) => {
      expect((await migrate(pool)).migrations).toEqual(names)
      expect(names[0]).toBe(FIRST)
      expect(await history(pool)).toEqual(names)
      expect(await migrate(pool)).toEqual({ migrations: [], functions: [] })
    })
  })

  it("applies each migration once when three processes start together", async () => {
    await onScratchDatabase(async (pool) => {
      const applied = await Promise.all([migrate(pool), migrate(pool), migrate(pool)])
      expect(applied.flatMap(({ migrations }) => migrations).sort()).toEqual(await history(pool))
    })
  })

  it("upgrades a data folder of the first release, keeping its rows", async () => {
    await onScratchDatabase(async (pool) => {
      const sql = await readFile(`prisma/migrations/${FIRST}/migration.sql`, "utf8")
      await pool.query(sql)
      await pool.query("INSERT INTO account (id, balance_pico) VALUES ('00000000-0000-7000-8000-000000000001', 42)")
      await pool.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
        migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
        applied_steps_count integer NOT NULL DEFAULT 0)`)
      const checksum = createHash("sha256").update(sql).digest("hex")
      await pool.query(
        "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', $1, $2, now())",
        [checksum, FIRST],
      )
      expect((await migrate(pool)).migrations).not.toContain(FIRST)
      expect((await pool.query("SELECT balance_pico FROM account")).rows).toEqual([{ balance_pico: "42" }])
    })
  })

  it("refuses a migration that was changed after it was applied", async () => {
    await onScratchDatabase(async (pool) => {
      await migrate(pool)
      await pool.query("UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = $1", [FIRST])
      await expect(migrate(pool)).rejects.toThrow(`migration ${FIRST} was changed after it was applied`)
    })
  })
})
