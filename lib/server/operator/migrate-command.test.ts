import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type pg from "pg"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { operatorJson as json, operator } from "@/test/operator"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"

// Vitest sets it to a path.
beforeEach(() => void vi.stubEnv("BASE_URL", ""))
afterEach(() => void vi.unstubAllEnvs())

const names = (await readdir("prisma/migrations")).filter((name) => /^\d{14}_/.test(name)).sort()
const to = names.at(-1)

/** Points the command at an empty database. */
const onEmpty = (work: (pool: pg.Pool) => Promise<void>) =>
  onScratchDatabase(async (pool) => {
    vi.stubEnv("DATABASE_URL", scratchUrl(pool))
    await work(pool)
  })

const tables = async (pool: pg.Pool) =>
  (await pool.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rowCount

describe("migrate", () => {
  it("reports what is missing and writes nothing in a dry run, then applies it once", async () => {
    await onEmpty(async (pool) => {
      expect(await json("migrate", "--dry-run")).toEqual({
        from: null,
        to,
        pending: names,
        applied: [],
        missing_rights: [],
      })
      expect(await tables(pool)).toBe(0)
      expect(await json("migrate")).toEqual({ from: null, to, pending: [], applied: names, missing_rights: [] })
      expect(await json("migrate")).toEqual({ from: to, to, pending: [], applied: [], missing_rights: [] })
      expect((await operator("migrate")).out).toContain("Applied       nothing")
    })
  })

  it("names the functions when they changed alone", async () => {
    await onEmpty(async (pool) => {
      await json("migrate")
      await pool.query("UPDATE _sql_functions SET checksum = 'x', version = 1 WHERE name = 'ledger_now'")
      await pool.query("UPDATE _sql_functions SET version = 1")
      const functions = [expect.stringMatching(/^functions\/\d+$/)]
      expect(await json("migrate", "--dry-run")).toEqual({
        from: to,
        to,
        pending: functions,
        applied: [],
        missing_rights: [],
      })
      expect(await json("migrate")).toEqual({ from: to, to, pending: [], applied: functions, missing_rights: [] })
      expect(await json("migrate", "--dry-run")).toEqual({ from: to, to, pending: [], applied: [], missing_rights: [] })
    })
  })

  it("refuses a newer schema in one line and changes nothing", async () => {
    await onEmpty(async (pool) => {
      await json("migrate")
      await pool.query(
        "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_new', now())",
      )
      for (const args of [["migrate"], ["migrate", "--dry-run"]])
        expect(await operator(...args, "--json")).toEqual({
          code: 1,
          out: "",
          err: "The database has a newer schema (29990101000000_new). Run the version that migrated it; to go back one release, set ALLOW_NEWER_SCHEMA=1\n",
        })
    })
  })

  it("creates no data folder in a dry run", async () => {
    const DATA_DIR = path.join(tmpdir(), `svcd-never-${process.pid}`)
    vi.stubEnv("DATABASE_URL", "")
    vi.stubEnv("DATA_DIR", DATA_DIR)
    expect(await json("migrate", "--dry-run")).toEqual({
      from: null,
      to,
      pending: names,
      applied: [],
      missing_rights: [],
    })
    expect(existsSync(DATA_DIR)).toBe(false)
  })
})
