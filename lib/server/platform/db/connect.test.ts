import { afterAll, expect, it, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { testDatabase } from "@/test/database"
import { connectDatabase } from "./connect"

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
