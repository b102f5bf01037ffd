import { setTimeout as sleep } from "node:timers/promises"
import { TestRedis } from "../test/redis"
import { newDatabase } from "./support/database"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { expect, test } from "./support/test"

/** On a busy machine, some requests of an attempt miss its clock second, so there may be several attempts. */
const SECONDS = { timeout: 150_000 }
/** More than the limit of ten from each process, and few enough for a busy machine to send them in one second. */
const REQUESTS = 12

test("two processes share a key's limit through Redis, halve it while Redis is unavailable, and share it again", async () => {
  const database = await newDatabase()
  const redis = await TestRedis.start()
  const settings = { SERVE: "api", DATABASE_URL: database.url, REDIS_URL: redis.url }
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
  /** Returns how many of its requests each process answers in the next clock second. */
  const answered = async (nextSecond: Promise<void>) => {
    await nextSecond
    const statuses = await Promise.all(
      services.map((service) => Promise.all(Array.from({ length: REQUESTS }, () => service.decide(key, ONE_QUESTION)))),
    )
    return statuses.map((responses) => responses.filter(({ status }) => status === 200).length)
  }
  const together = async () => (await answered(redis.nextSecond())).reduce((sum, count) => sum + count, 0)

  // New rate limits apply within two seconds. By then the processes have found each other in Redis.
  await sleep(2_000)
  await expect.poll(together, SECONDS).toBe(10)
  await expect.poll(states).toEqual(both("ok"))
  await redis.kill()
  await expect.poll(states).toEqual(both("degraded"))
  await expect.poll(() => answered(sleep(1_005 - (Date.now() % 1_000))), SECONDS).toEqual([5, 5])
  await redis.resume()
  await expect.poll(states).toEqual(both("ok"))
  await expect.poll(together, SECONDS).toBe(10)
  await Promise.all(services.map((service) => service.destroy()))
  await redis.kill()
  await database.drop()
})
