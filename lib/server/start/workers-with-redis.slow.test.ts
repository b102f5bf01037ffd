import { Redis } from "ioredis"
import { expect, it } from "vitest"
import { afterFile } from "@/test/after-file"
import { testRuntime } from "@/test/database"
import { insertPayer } from "@/test/insert-rows"
import { TestRedis } from "@/test/redis"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"

const { pool, databaseUrl } = await testRuntime()
/** Three processes start on a machine that may be busy. */
const SLOW_START_MS = 150_000
/** So long that a drain is still observed after this process was paused for some seconds. */
const DRAIN_S = "10"

const redis = await TestRedis.start()
afterFile(() => redis.kill())
const server = await startServer(databaseUrl, { API_WORKERS: "2", REDIS_URL: redis.url, DRAIN_S }, SLOW_START_MS)
const { accountId, token } = await insertPayer({ balancePico: 1_000_000_000_000_000n })
await pool.query("UPDATE account SET requests_per_second = 10, requests_per_second_per_key = 10 WHERE id = $1", [
  accountId,
])

/** Sends a decision on a connection of its own, so that either worker may accept it. */
async function decide() {
  const response = await sendDecision(server.url, token, undefined, { connection: "close" })
  return { status: response.status, left: Number(response.headers.get("x-ratelimit-remaining")) }
}

/** Returns how many times Redis ran a script. */
async function scriptCalls(): Promise<number> {
  const client = new Redis(redis.url)
  const stats = await client.info("commandstats")
  client.disconnect()
  return [...stats.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

it("two workers admit a key's limit of 10 together, counted in Redis", async () => {
  const burst = async () => {
    await redis.nextSecond()
    const before = await scriptCalls()
    const replies = await Promise.all(Array.from({ length: 20 }, decide))
    const left = replies.filter(({ status }) => status === 200).map(({ left }) => left)
    return {
      left: left.sort((a, b) => a - b),
      refused: replies.filter(({ status }) => status === 429).length,
      isCountedInRedis: (await scriptCalls()) - before >= 20,
    }
  }
  // On a busy machine, requests may not arrive within one second. A worker that reached Redis late refuses what exceeds its share
  // without asking Redis, for some seconds.
  await expect
    .poll(burst, { timeout: 150_000 })
    .toEqual({ left: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], refused: 10, isCountedInRedis: true })
})

/** Returns the status of `/readyz` and its reason, on a connection of its own. */
async function readyzOf({ url }: ServerProcess) {
  const response = await fetch(`${url}/readyz`, { headers: { connection: "close" } })
  return [response.status, ((await response.json()) as { reason?: string }).reason]
}

it("a signal that comes while the first worker accepts and others start is followed by the whole drain", async () => {
  const starting = await startServer(databaseUrl, { API_WORKERS: "4", DRAIN_S }, SLOW_START_MS)
  starting.signal("SIGTERM")
  await expect.poll(() => readyzOf(starting), { interval: 10 }).toEqual([503, "draining"])
  expect(await starting.ended).toBe(0)
})

it("on SIGTERM every worker's readiness is 503 first, and it serves requests for DRAIN_S more", async () => {
  const readyz = () => readyzOf(server)
  await expect.poll(readyz).toEqual([200, undefined])
  const stoppedAt = performance.now()
  server.signal("SIGTERM")
  await expect.poll(readyz, { interval: 10 }).toEqual([503, "draining"])
  expect((await decide()).status).not.toBe(503)
  expect(await Promise.all(Array.from({ length: 10 }, readyz))).toEqual(
    Array.from({ length: 10 }, () => [503, "draining"]),
  )
  expect(await server.ended).toBe(0)
  expect(performance.now() - stoppedAt).toBeGreaterThan(10_000)
})
