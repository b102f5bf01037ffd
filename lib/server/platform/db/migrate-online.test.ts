import type pg from "pg"
import { describe, expect, test } from "vitest"
import { testDatabase } from "@/test/database"
import { waitsForLock } from "@/test/waits-for-lock"
import { migrate } from "./migrate"
import { createMigration, type Migration, readRelease } from "./release"

const NAME = "29990101000000_new"
const INDEX = "CREATE INDEX CONCURRENTLY IF NOT EXISTS note_text ON note (text);"

/** The release with one more migration. */
async function withOne(sql: string): Promise<{ migrations: Migration[] }> {
  return { migrations: [...(await readRelease()).migrations, createMigration(NAME, sql)] }
}

const outside = (sql: string) =>
  withOne(`-- outside a transaction\n-- Requests go on meanwhile; they do not wait.\n${sql}\n`)

/** A test on a migrated database with a table of notes. */
const it = test.extend<{ pool: pg.Pool }>({
  pool: async ({ task: _task }, use) => {
    const { pool, close } = await testDatabase()
    await pool.query("CREATE TABLE note (text text NOT NULL)")
    await use(pool)
    await close()
  },
})

/** Runs `work` while a transaction has read from `note`, so that no migration can change its columns. */
async function whileRead(pool: pg.Pool, work: (end: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const reader = await pool.connect()
  await reader.query("BEGIN; SELECT FROM note")
  await work(() => reader.query("COMMIT"))
  reader.release()
}

const indexes = async (pool: pg.Pool) =>
  (
    await pool.query(
      "SELECT relname, indisvalid FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = 'note'::regclass",
    )
  ).rows

const sessions = async (pool: pg.Pool): Promise<number> =>
  (
    await pool.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%advisory_lock%' AND datname = current_database()",
    )
  ).rows[0].count

describe("the migrations of one upgrade", () => {
  const index = createMigration("29990101000002_index", `-- outside a transaction\n${INDEX}`)

  it.for([
    ["", []],
    [", also with a change outside a transaction between them", [index]],
  ] as const)(
    "never leave a running process without a function that the first drops and the release creates again%s",
    async ([, between], { pool }) => {
      const added =
        "CREATE OR REPLACE FUNCTION note_count() RETURNS bigint LANGUAGE sql RETURN (SELECT count(*) FROM note);"
      await whileRead(pool, async (end) => {
        await pool.query(added)
        const { migrations, functions } = await readRelease()
        const release = {
          migrations: [
            ...migrations,
            createMigration("29990101000000_first", "DROP FUNCTION note_count()"),
            ...between,
            createMigration("29990101000003_last", "ALTER TABLE note ADD length integer"),
          ],
          functions: {
            version: functions.version + 1,
            functions: [...functions.functions, { name: "note_count", sql: added }],
          },
        }
        const migrating = migrate(pool, release)
        await waitsForLock(1, pool)
        const there = "SELECT to_regproc('note_count') IS NOT NULL AS there"
        expect((await pool.query(there)).rows).toEqual([{ there: true }])
        await end()
        expect((await migrating).functions).toEqual(["note_count"])
      })
    },
  )
})

describe("a migration whose table is locked", () => {
  const alter = "ALTER TABLE note ADD length integer"

  it("gives up soon, so that requests behind it go on, and tries again", async ({ pool }) => {
    await whileRead(pool, async (end) => {
      const migrating = migrate(pool, await withOne(alter), { timeoutMs: 1_000, attempts: 1_000, delayMs: 10 })
      await waitsForLock(1, pool)
      expect((await pool.query("SELECT FROM note")).rowCount).toBe(0)
      await end()
      expect((await migrating).migrations).toEqual([NAME])
    })
  })

  it("fails in one line after the last attempt, with nothing changed", async ({ pool }) => {
    await whileRead(pool, async (end) => {
      const wait = { timeoutMs: 20, attempts: 2, delayMs: 1 }
      await expect(migrate(pool, await withOne(alter), wait)).rejects.toThrow(
        `${NAME} could not lock its tables 2 times, and changed nothing. Run it again`,
      )
      await end()
      expect((await migrate(pool, await withOne(alter))).migrations).toEqual([NAME])
    })
  })
})

describe("a migration outside a transaction", () => {
  it("creates an index while rows are written", async ({ pool }) => {
    const writer = await pool.connect()
    await writer.query("BEGIN; INSERT INTO note VALUES ('a')")
    const migrating = migrate(pool, await outside(INDEX))
    await waitsForLock(1, pool)
    await pool.query("INSERT INTO note VALUES ('b')")
    await writer.query("COMMIT")
    writer.release()
    expect((await migrating).migrations).toEqual([NAME])
    expect(await indexes(pool)).toEqual([{ relname: "note_text", indisvalid: true }])
  })

  it("replaces the invalid index of an attempt that failed", async ({ pool }) => {
    await pool.query("INSERT INTO note VALUES ('a'), ('a')")
    const unique = await outside(INDEX.replace("INDEX", "UNIQUE INDEX"))
    await expect(migrate(pool, unique)).rejects.toThrow("could not create unique index")
    expect(await indexes(pool)).toEqual([{ relname: "note_text", indisvalid: false }])
    await pool.query("DELETE FROM note")
    expect((await migrate(pool, unique)).migrations).toEqual([NAME])
    expect(await indexes(pool)).toEqual([{ relname: "note_text", indisvalid: true }])
  })

  it("is applied once by processes that start together, and does not wait for those that wait for it", async ({
    pool,
  }) => {
    const release = await outside(INDEX)
    const writer = await pool.connect()
    await writer.query("BEGIN; INSERT INTO note VALUES ('a')")
    const first = migrate(pool, release)
    await waitsForLock(1, pool)
    const others = [migrate(pool, release), migrate(pool, release)]
    await expect.poll(() => sessions(pool)).toBeGreaterThanOrEqual(3)
    await writer.query("COMMIT")
    writer.release()
    const applied = await Promise.all([first, ...others])
    expect(applied.flatMap(({ migrations }) => migrations)).toEqual([NAME])
  })

  it("is refused when it changes more than indexes", async ({ pool }) => {
    await expect(migrate(pool, await outside("UPDATE account SET balance_pico = 1;"))).rejects.toThrow(
      `migration ${NAME} runs outside a transaction: only concurrent changes of indexes may`,
    )
  })
})
