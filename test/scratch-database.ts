import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject, test } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"

/** Runs `work` on an empty database, which is dropped afterwards. */
export async function onScratchDatabase<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const server = inject("postgres")
  const connection = { ...server, database: `scratch_${randomBytes(8).toString("hex")}` }
  const admin = new pg.Pool({ ...server, database: "postgres", max: 1 })
  await admin.query(`CREATE DATABASE ${connection.database}`)
  const pool = openPool(connection)
  try {
    return await work(pool)
  } finally {
    await pool.end()
    await admin.query(`DROP DATABASE ${connection.database} WITH (FORCE)`)
    await admin.end()
  }
}

/** A test with an empty database of its own. */
export const scratchTest = test.extend<{ pool: pg.Pool }>({
  pool: ({ task: _task }, use) => onScratchDatabase((pool) => use(pool)),
})
