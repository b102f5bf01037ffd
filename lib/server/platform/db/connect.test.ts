import { afterAll, expect, it, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { testDatabase } from "@/test/database"
import { connectDatabase, withConnection } from "./connect"

afterAll(() => void vi.useRealTimers())

it("fails a server's query that gets no reply, and runs the next one on another connection", async () => {
  const { url, close } = await testDatabase()
  const database = await connectDatabase(readEnv({ DATABASE_URL: url }), "server")
  const client = await database.pool.connect()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const silent = expect(client.query("SELECT pg_sleep(5)")).rejects.toThrow("Query read timeout")
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await silent
  client.release(true)
  expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  await database.close()
  await close()
})

it("notices that a connection without a time limit broke, and rejects", async () => {
  const { pool, url, close } = await testDatabase()
  const breaking = withConnection({ connectionString: url }, async (own) => {
    expect(own.options.keepAlive).toBe(true)
    const client = await own.connect()
    const ended = new Promise((resolve) => client.once("end", resolve))
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
    const sleeping = client.query("SELECT pg_sleep(60)")
    const broken = sleeping.finally(() => ended).finally(() => client.release(true))
    // It may break before the reply below.
    broken.catch(() => {})
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid])
    await broken
  })
  await expect(breaking).rejects.toThrow("terminating connection")
  await close()
})
