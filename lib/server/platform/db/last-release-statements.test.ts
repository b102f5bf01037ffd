import { readFileSync } from "node:fs"
import type pg from "pg"
import { expect, it } from "vitest"
import { onScratchDatabase } from "@/test/scratch-database"
import { migrate } from "./migrate"

/**
 * What the release of 2026-11-22 (8dd3adc) sends to its database, as its own tests recorded it. During an upgrade its processes send
 * the same to the schema of this release. A new release records its statements in its own checkout:
 * `RECORD_STATEMENTS=$PWD/statements.jsonl npx vitest run`, then `sort -u statements.jsonl`, as one JSON array.
 */
const STATEMENTS: string[] = JSON.parse(readFileSync("test/last-release-statements.json", "utf8"))

/** Returns the statements that the database cannot plan, with its message. */
async function unplannable(pool: pg.Pool): Promise<string[]> {
  const faults: string[] = []
  for (const statement of STATEMENTS)
    await pool.query(`PREPARE earlier AS ${statement}`).then(
      () => pool.query("DEALLOCATE earlier"),
      ({ message }: Error) => faults.push(`${message}: ${statement}`),
    )
  return faults
}

it("every statement of the last release has a plan on this release's schema", async () => {
  await onScratchDatabase(async (pool) => {
    await migrate(pool)
    expect(STATEMENTS.length).toBeGreaterThan(300)
    expect(await unplannable(pool)).toEqual([])
    await pool.query("ALTER TABLE member RENAME COLUMN role TO rights")
    expect((await unplannable(pool)).length).toBeGreaterThan(0)
  })
})
