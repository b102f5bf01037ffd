import { beforeEach, expect, test } from "vitest"
import { dropExpiredSignIns } from "@/lib/server/auth/drop-expired"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { countVisitorRun, secondsOfDay } from "./count-visitor-run"

await testRuntime()
beforeEach(async () => {
  await runtime().pool.query("DELETE FROM visitor_run")
})

/** Returns how many of the runs, which all begin at once, were admitted. */
async function admitted(blocks: string[]): Promise<number> {
  const runs = await Promise.allSettled(blocks.map((block) => countVisitorRun(runtime(), block)))
  return runs.filter(({ status }) => status === "fulfilled").length
}

const times = (count: number, block: string) => Array<string>(count).fill(block)

test("a client has ten runs a day, however many it begins at once", async () => {
  expect(await admitted(times(30, "203.0.113.9"))).toBe(10)
  await expect(countVisitorRun(runtime(), "203.0.113.9")).rejects.toMatchObject({
    code: "rate_limited",
    message: "The 10 runs a day without an account are used up. Sign in to continue.",
  })
  expect(await admitted(["198.51.100.1"])).toBe(1)
})

test("a network of many clients has 50 runs a day, as IPv4 and as IPv6", async () => {
  expect(await admitted(Array.from({ length: 60 }, (_, i) => `203.0.113.${i}`))).toBe(50)
  // Each /64 of another /56 of one /48.
  expect(await admitted(Array.from({ length: 60 }, (_, i) => `2001:db8:1:${(i * 256).toString(16)}`))).toBe(50)
})

test("a refused run counts nothing, so that one client cannot use up its network's runs", async () => {
  await admitted(times(60, "203.0.113.9"))
  expect(await admitted(times(10, "203.0.113.10"))).toBe(10)
})

test("the runs of yesterday do not count, and are dropped", async () => {
  await admitted(times(10, "203.0.113.9"))
  await runtime().pool.query("UPDATE visitor_run SET day = day - 1")
  expect(await admitted(["203.0.113.9"])).toBe(1)
  await dropExpiredSignIns(runtime())
  const { rows } = await runtime().pool.query("SELECT runs FROM visitor_run")
  // The client and its network, today.
  expect(rows).toEqual([{ runs: 1 }, { runs: 1 }])
})

test("no address is stored", async () => {
  await admitted(["203.0.113.9"])
  const { rows } = await runtime().pool.query<{ text: string }>("SELECT r::text AS text FROM visitor_run r")
  expect(rows).toHaveLength(2)
  for (const { text } of rows) expect(text).not.toContain("203.0.113")
})

test("a day ends at midnight UTC", () => {
  expect(secondsOfDay(Date.parse("2026-11-28T23:59:58.500Z"))).toBe(2)
  expect(secondsOfDay(Date.parse("2026-11-28T00:00:00.000Z"))).toBe(86_400)
})
