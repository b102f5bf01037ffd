import { expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { startServer } from "@/test/server-process"
import { waitsForLock } from "@/test/waits-for-lock"

const { databaseUrl, pool } = await testRuntime()

it("a stop ends a running check of the ledger, which stays requested", async () => {
  const server = await startServer(databaseUrl)
  const blocker = await pool.connect()
  await blocker.query("BEGIN; LOCK ledger_source IN ACCESS EXCLUSIVE MODE")
  await pool.query("INSERT INTO ledger_check (requested_at) VALUES (now())")
  await waitsForLock()
  server.signal("SIGTERM")
  const ended = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 60_000, "waits"))])
  blocker.release(true)
  expect(ended).toBe(0)
  expect(server.written()).not.toContain("job.failed")
  expect((await pool.query("SELECT finished_at FROM ledger_check")).rows).toEqual([{ finished_at: null }])
})
