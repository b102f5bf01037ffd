import { readFile } from "node:fs/promises"
import type pg from "pg"
import { describe, expect } from "vitest"
import { scratchTest as it } from "@/test/scratch-database"
import { checksumOf, type FunctionSet, readFunctions } from "./functions"
import { migrate } from "./migrate"
import { readRelease } from "./release"

/** The folder's functions with `answer`, which returns this number; its own name when `sql` is null. */
async function setWith(version: number, answer: number | null): Promise<FunctionSet> {
  const { functions } = await readFunctions()
  const sql = `CREATE OR REPLACE FUNCTION answer() RETURNS integer LANGUAGE sql AS $$ SELECT ${answer} $$`
  return { version, functions: answer === null ? functions : [...functions, { name: "answer", sql }] }
}

const answerOf = async (pool: pg.Pool): Promise<number> => (await pool.query("SELECT answer()")).rows[0].answer

describe("prisma/functions", () => {
  it("has one function in each file, of the file's name", async () => {
    const { functions } = await readFunctions()
    for (const { name, sql } of functions) {
      const created = [...sql.matchAll(/^CREATE OR REPLACE (?:FUNCTION|AGGREGATE) (\w+)/gm)].map(([, found]) => found)
      expect(created).toEqual([name])
    }
  })

  it("gets a new version with every change: raise `version` and set `checksum` in version.json", async () => {
    const { checksum } = JSON.parse(await readFile("prisma/functions/version.json", "utf8"))
    expect(checksum).toBe(checksumOf(await readFunctions()))
  })

  it("has every function of the migrated database", async ({ pool }) => {
    await migrate(pool)
    const { rows } = await pool.query<{ name: string }>(
      "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
    )
    expect(rows.map(({ name }) => name)).toEqual((await readFunctions()).functions.map(({ name }) => name))
  })
})

describe("a start", () => {
  it("replaces only the functions whose text changed", async ({ pool }) => {
    const every = (await setWith(1_000, 1)).functions.map(({ name }) => name).sort()
    expect((await migrate(pool, { functions: await setWith(1_000, 1) })).functions).toEqual(every)
    expect((await migrate(pool, { functions: await setWith(1_000, 1) })).functions).toEqual([])
    expect((await migrate(pool, { functions: await setWith(1_001, 2) })).functions).toEqual(["answer"])
    expect(await answerOf(pool)).toBe(2)
  })

  it("drops a function whose file is gone", async ({ pool }) => {
    await migrate(pool, { functions: await setWith(1_000, 1) })
    expect((await migrate(pool, { functions: await setWith(1_001, null) })).functions).toEqual(["answer"])
    await expect(answerOf(pool)).rejects.toThrow("does not exist")
  })

  it("leaves newer functions alone, also after a newer release dropped some", async ({ pool }) => {
    await migrate(pool, { functions: await setWith(1_001, 2) })
    expect((await migrate(pool, { functions: await setWith(1_000, 1) })).functions).toEqual([])
    expect(await answerOf(pool)).toBe(2)
    await migrate(pool, { functions: await setWith(1_002, null) })
    expect((await migrate(pool, { functions: await setWith(1_001, 2) })).functions).toEqual([])
    await expect(answerOf(pool)).rejects.toThrow("does not exist")
  })

  it("leaves the functions of a database alone that has a migration it does not know", async ({ pool }) => {
    await migrate(pool, { functions: await setWith(1_000, 1) })
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ('newer', 'x', '99990101000000_of_a_newer_release', now())`,
    )
    expect((await migrate(pool, { functions: await setWith(1_001, 2) })).functions).toEqual([])
    expect(await answerOf(pool)).toBe(1)
  })

  it("applies the migrations and the functions together, or neither", async ({ pool }) => {
    const broken = {
      version: 1_000,
      functions: [{ name: "answer", sql: "CREATE FUNCTION answer() RETURNS nothing" }],
    }
    await expect(migrate(pool, { functions: broken })).rejects.toThrow()
    const names = (await readRelease()).migrations.map(({ name }) => name)
    const { migrations, functions } = await migrate(pool, { functions: await setWith(1_000, 1) })
    expect(migrations).toEqual(names)
    expect(functions).toContain("answer")
  })

  it("by three processes at once creates each function once", async ({ pool }) => {
    const set = await setWith(1_000, 1)
    const applied = await Promise.all([
      migrate(pool, { functions: set }),
      migrate(pool, { functions: set }),
      migrate(pool, { functions: set }),
    ])
    expect(applied.flatMap(({ functions }) => functions).sort()).toEqual(set.functions.map(({ name }) => name).sort())
  })
})
