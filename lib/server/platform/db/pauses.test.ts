import { afterAll, expect, it } from "vitest"
import { testDatabase } from "@/test/database"
import { openPool } from "./connect"

const LIMIT_MS = 400
const database = await testDatabase()
const pool = openPool({
  connectionString: database.url,
  max: 1,
  connectionTimeoutMillis: LIMIT_MS,
  query_timeout: LIMIT_MS,
})
afterAll(async () => {
  await pool.end()
  await database.close()
})

/** Pauses this process for longer than its limits. PostgreSQL replies meanwhile. */
const pause = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * LIMIT_MS)

it("a connection that was opened during a pause of the process is used", async () => {
  const reading = pool.query("SELECT 1 AS one")
  pause()
  expect((await reading).rows).toEqual([{ one: 1 }])
})

it.each([
  ["the pool", () => pool.query("SELECT 2 AS two")],
  [
    "a connection",
    async () => {
      const client = await pool.connect()
      const reading = client.query("SELECT 2 AS two")
      pause()
      return reading.finally(() => client.release())
    },
  ],
])("a reply to a statement of %s that arrived during a pause of the process is read", async (_, read) => {
  const reading = read()
  // The statement is sent once the pool has handed out its idle connection.
  await new Promise(setImmediate)
  pause()
  expect((await reading).rows).toEqual([{ two: 2 }])
})

it("a connection that was released during a pause of the process goes to who waits for it", async () => {
  const client = await pool.connect()
  const waiting = pool.query("SELECT 3 AS three")
  await new Promise(setImmediate)
  setImmediate(() => client.release())
  pause()
  expect((await waiting).rows).toEqual([{ three: 3 }])
})

it("without a pause, a statement without a reply and a caller without a connection fail after their limit", async () => {
  const stuck = pool.query("SELECT pg_sleep(3)")
  await expect(Promise.all([stuck, pool.query("SELECT 4")])).rejects.toThrow(/^(Query read timeout|timeout exceeded)/)
  await Promise.allSettled([stuck])
  const client = await pool.connect()
  await expect(client.query("SELECT pg_sleep(3)")).rejects.toThrow("Query read timeout")
  await expect(pool.query("SELECT 5")).rejects.toThrow("timeout exceeded when trying to connect")
  client.release(true)
  expect((await pool.query("SELECT 6 AS six")).rows).toEqual([{ six: 6 }])
})
