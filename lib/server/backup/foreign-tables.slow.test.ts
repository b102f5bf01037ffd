import path from "node:path"
import type pg from "pg"
import { beforeEach, expect, vi } from "vitest"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readRelease, tablesOf } from "@/lib/server/platform/db/release"
import { digests } from "@/test/compare-databases"
import { operatorJson as json, operator } from "@/test/operator"
import { rewriteBackup } from "@/test/rewrite-backup"
import { onScratchDatabase, scratchTest } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { tempFolder } from "@/test/temp-folder"

const dir = tempFolder()
const inDir = (name: string) => path.join(dir, name)
beforeEach(() => {
  vi.stubEnv("BASE_URL", "")
  vi.stubEnv("DATA_DIR", inDir("data"))
  return () => void vi.unstubAllEnvs()
})

/** Creates a table as PostGIS does: it belongs to an extension, and has rows. */
async function addExtension(pool: pg.Pool): Promise<void> {
  await pool.query("CREATE TABLE spatial_ref_sys (srid int PRIMARY KEY, text text)")
  await pool.query("INSERT INTO spatial_ref_sys VALUES (4326, 'WGS 84')")
  await pool.query("CREATE FUNCTION st_area() RETURNS int LANGUAGE sql RETURN 1")
  await pool.query("ALTER EXTENSION plpgsql ADD TABLE spatial_ref_sys")
  await pool.query("ALTER EXTENSION plpgsql ADD FUNCTION st_area()")
}

/** Takes the newest migration out of a backup's header. */
function asOfThisSchema([first = "", ...rest]: string[]): string[] {
  const header = JSON.parse(first)
  const migrations = header.migrations.slice(0, -1)
  return [JSON.stringify({ ...header, migrations, schema: migrations.at(-1).name }), ...rest]
}

scratchTest("the tables of the release are those of a migrated database, after each migration", async ({ pool }) => {
  const { migrations } = await readRelease()
  for (let count = 1; count <= migrations.length; count++) {
    const applied = migrations.slice(0, count)
    await migrate(pool, { migrations: applied, functions: { version: 0, functions: [] } })
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND left(relname, 1) <> '_' ORDER BY relname COLLATE "C"`,
    )
    expect([...tablesOf(applied)].sort()).toEqual(rows.map(({ name }) => name))
  }
})

scratchTest("a backup leaves out and names tables of others, and restores beside an extension", async ({ pool }) => {
  await migrate(pool)
  await addExtension(pool)
  await pool.query("CREATE TABLE tmp_fix (id serial PRIMARY KEY, account_id uuid REFERENCES account)")
  await pool.query("INSERT INTO tmp_fix DEFAULT VALUES")
  vi.stubEnv("DATABASE_URL", scratchUrl(pool))
  const made = await json("backup", "create", inDir("foreign.backup"))
  expect(made.left_out).toEqual(["spatial_ref_sys", "tmp_fix"])
  const { tmp_fix: _, spatial_ref_sys: system, ...own } = await digests(pool)
  await onScratchDatabase(async (target) => {
    await addExtension(target)
    const restored = await json("backup", "restore", made.file, "--into", scratchUrl(target))
    expect(restored.left_out).toEqual([])
    const { spatial_ref_sys: kept, ...tables } = await digests(target)
    expect(tables).toEqual(own)
    expect(kept).toBe(system)
  })
})

scratchTest(
  "a restore leaves out and names tables and columns of others in a backup of an earlier version",
  async ({ pool }) => {
    await migrate(pool)
    await pool.query("ALTER TABLE account ADD COLUMN crm_id text DEFAULT 'c-1'")
    await pool.query("INSERT INTO account (id, name) VALUES ('00000000-0000-7000-8000-000000000001', 'Ada\tTeam')")
    const own = await digests(pool)
    vi.stubEnv("DATABASE_URL", scratchUrl(pool))
    await pool.query("CREATE TABLE tmp_fix (id serial PRIMARY KEY, text text)")
    await pool.query("INSERT INTO tmp_fix (text) VALUES ('one'), ('two')")
    // A migration that is unknown to this version makes every table count as the service's, as in earlier versions.
    await pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_new', now())",
    )
    const made = await json("backup", "create", inDir("earlier.backup"))
    expect(made.left_out).toEqual([])
    await rewriteBackup(made.file, inDir("edited.backup"), asOfThisSchema)
    await onScratchDatabase(async (target) => {
      const restored = await json("backup", "restore", inDir("edited.backup"), "--into", scratchUrl(target))
      expect(restored.left_out.toSorted()).toEqual(["account.crm_id", "tmp_fix"])
      await pool.query("ALTER TABLE account DROP COLUMN crm_id")
      expect({ ...(await digests(target)), account: "" }).toEqual({ ...own, account: "" })
      const { rows } = await target.query("SELECT name, status FROM account")
      expect(rows).toEqual([{ name: "Ada\tTeam", status: "active" }])
    })
  },
)

scratchTest("a database with tables of others is refused as a target, with their names", async ({ pool }) => {
  await migrate(pool)
  vi.stubEnv("DATABASE_URL", scratchUrl(pool))
  await json("backup", "create", inDir("sound.backup"))
  await onScratchDatabase(async (target) => {
    await target.query("CREATE TABLE note (text text); CREATE VIEW notes AS SELECT * FROM note; CREATE SEQUENCE ids")
    const { code, err } = await operator("backup", "restore", inDir("sound.backup"), "--into", scratchUrl(target))
    expect([code, err]).toEqual([1, "The database is not empty: it has ids, note, notes\n"])
  })
})

scratchTest("a backup is refused when the database lacks a table of its schema", async ({ pool }) => {
  await migrate(pool)
  await pool.query("DROP TABLE status_sum")
  vi.stubEnv("DATABASE_URL", scratchUrl(pool))
  const { code, err } = await operator("backup", "create", inDir("lacking.backup"))
  expect([code, err]).toEqual([1, "The database lacks a table of its schema: status_sum\n"])
})
