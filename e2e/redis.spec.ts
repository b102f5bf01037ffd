import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { hasRedis, TestRedis } from "../test/redis"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"

test("two processes share a key's limit through Redis, halve it while Redis is away, and share it again", async () => {
  test.skip(!hasRedis, "redis-server is not on the PATH")
  const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-redis-"))
  const postgres = await startEmbedded(dataDir, "command")
  const redis = await TestRedis.start()
  const { host, port, user, database } = postgres.config
  const DATABASE_URL = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
  const settings = { SERVE: "api", DATABASE_URL, REDIS_URL: redis.url }
  const services = [await Service.start(settings), await Service.start(settings)]
  const [first] = services
  if (!first) throw new Error("two services were started")
  const { key } = await first.createAccountWithKey("ada@example.com")
  await first.operator("account", "limits", "ada@example.com", "--per-second", "10", "--per-key", "10")

  const states = () =>
    Promise.all(
      services.map(async ({ url }) => {
        const response = await fetch(`${url}/readyz`)
        return [response.status, ((await response.json()) as { redis: string }).redis]
      }),
    )
  const both = (state: string) => [
    [200, state],
    [200, state],
  ]
  /** How many of 30 requests at each process are answered in the second that begins after this. */
  const answered = async (nextSecond: Promise<void>) => {
    await nextSecond
    const statuses = await Promise.all(
      services.map((service) => Promise.all(Array.from({ length: 30 }, () => service.decide(key, ONE_QUESTION)))),
    )
    return statuses.map((responses) => responses.filter(({ status }) => status === 200).length)
  }
  const together = async () => (await answered(redis.nextSecond())).reduce((sum, count) => sum + count, 0)

  // The new rates hold within two seconds; by then each process has heard of the other.
  await sleep(2_000)
  await expect.poll(together, { timeout: 10_000 }).toBe(10)
  expect(await states()).toEqual(both("ok"))
  await redis.kill()
  await expect.poll(states).toEqual(both("degraded"))
  await expect.poll(() => answered(sleep(1_005 - (Date.now() % 1_000))), { timeout: 10_000 }).toEqual([5, 5])
  await redis.resume()
  await expect.poll(states, { timeout: 10_000 }).toEqual(both("ok"))
  await expect.poll(together, { timeout: 10_000 }).toBe(10)
  await Promise.all(services.map((service) => service.destroy()))
  await redis.kill()
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
})
