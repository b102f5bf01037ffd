import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { shareEngineUse } from "./share-engine-use"

const URL = "http://127.0.0.1:8080"
const never = new AbortController().signal

await testRuntime()

/** Stores what another process reported this many seconds ago. */
const report = (process: string, used: number, isWide: boolean, seconds: number) =>
  runtime().pool.query(`INSERT INTO engine_use SELECT $1, $2, $3, $4, clock_timestamp() - make_interval(secs => $5)`, [
    process,
    URL,
    used,
    isWide,
    seconds,
  ])

test("a process reports its use of an engine and leaves their share to others that reported in the last 3 s", async () => {
  const { pool, engines } = runtime()
  const queue = engines.slots.of(URL)
  queue.setSlots(8)
  // The report of "other" is dated a minute ahead, so that it stays recent on a slow machine.
  await report("other", 4, true, -60)
  await report("quiet", 8, true, 4)
  await report("gone", 8, true, 70)
  await shareEngineUse(runtime())
  expect((await pool.query("SELECT FROM engine_use")).rowCount).toBe(3)

  const slots = await queue.take([1, 1, 1], never)
  await shareEngineUse(runtime())
  const { rows } = await pool.query(
    "SELECT process_id, used, is_wide FROM engine_use ORDER BY process_id <> $1, process_id",
    [engines.slots.processId],
  )
  expect(rows).toEqual([
    { process_id: engines.slots.processId, used: 3, is_wide: true },
    { process_id: "other", used: 4, is_wide: true },
    { process_id: "quiet", used: 8, is_wide: true },
  ])
  slots.end()
  // The other process uses four of eight slots, its even share.
  const next = await queue.take([1, 1, 1, 1, 1, 1], never)
  expect(next.count).toBe(4)
  next.end()
})
