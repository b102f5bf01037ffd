import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest"
import { testDatabase } from "@/test/database"
import { openPool } from "./connect"

const role = `limited_${randomBytes(8).toString("hex")}`
const admin = await testDatabase()
const url = admin.url.replace(/\/\/\w+@/, `//${role}@`)
beforeEach(async () => {
  await admin.pool.query(`DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN CONNECTION LIMIT 3`)
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await admin.pool.query(`DROP ROLE ${role}`)
  await admin.close()
})

it("a role with fewer connections than the pool serves every one of 3,000 concurrent queries", async () => {
  const pool = openPool({ connectionString: url, max: 20, connectionTimeoutMillis: 60_000 })
  const queries = Array.from({ length: 3_000 }, () => pool.query("SELECT 1"))
  const failed = (await Promise.allSettled(queries)).filter(({ status }) => status === "rejected")
  expect(failed).toEqual([])
  // PostgreSQL also counts connections that it is about to refuse, so it may accept fewer.
  expect(pool.totalCount).toBeLessThanOrEqual(3)
  await pool.end()
})

it("opens more connections again, 5 s after the last refusal", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const pool = openPool({ connectionString: url, max: 6 })
  const burst = () => Promise.all(Array.from({ length: 60 }, () => pool.query("SELECT pg_sleep(0.005)")))
  await burst()
  const open = pool.totalCount
  await admin.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT 6`)
  await burst()
  expect(pool.totalCount).toBe(open)
  // Until a refused connection has ended, PostgreSQL still counts it and may refuse another one.
  const laterBurst = async () => {
    vi.advanceTimersByTime(5_001)
    await burst()
    return pool.totalCount
  }
  await expect.poll(laterBurst).toBe(6)
  await pool.end()
})

it("waits while the pool has no connection at all, and fails after its time limit", async () => {
  const others = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    }),
  )
  // The clock of time limits advances only here, because on a slow machine even one attempt takes long.
  vi.useFakeTimers({ toFake: ["performance"] })
  const pool = openPool({ connectionString: url, connectionTimeoutMillis: 60_000 })
  const hasty = openPool({ connectionString: url, connectionTimeoutMillis: 30_000 })
  const waiting = pool.query("SELECT 1 AS one")
  const failed = expect(hasty.query("SELECT 1")).rejects.toMatchObject({ code: "53300" })
  vi.advanceTimersByTime(30_001)
  await failed
  await others[0]?.end()
  expect((await waiting).rows).toEqual([{ one: 1 }])
  await Promise.all([...others.slice(1).map((client) => client.end()), pool.end(), hasty.end()])
})

it("fails at once for any other refusal", async () => {
  const pool = openPool({ connectionString: url.replace(role, "nobody_at_all") })
  await expect(pool.query("SELECT 1")).rejects.toMatchObject({ code: "28000" })
  await expect(pool.connect()).rejects.toMatchObject({ code: "28000" })
  await pool.end()
})
