import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openRedisWindows } from "@/lib/server/limits/redis-windows"
import type { RateWindows } from "@/lib/server/limits/windows"
import { memoryWindows } from "@/lib/server/limits/windows"
import { createLog } from "@/lib/server/platform/log"
import { installRuntime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { hasRedis, TestRedis } from "@/test/redis"
import { type TestService, testService } from "@/test/service"

const BODY = { model: ALIAS, state: "Late again.", questions: { late: { type: "noul", instructions: "Late?" } } }

let service: TestService
beforeAll(async () => {
  service = await testService({ TRUSTED_PROXY_HOPS: "1" })
})

const ready = async () => {
  const response = await fetch(`${service.url}/readyz`)
  return [response.status, await response.json()]
}

/** How many of 12 requests for the list of models, at once and from behind the proxy, are answered. */
async function listed(addressOf: (request: number) => string): Promise<number> {
  installRuntime({ ...service.runtime, rates: memoryWindows(() => 0) })
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      fetch(`${service.url}/v1/models`, { headers: { "x-forwarded-for": addressOf(i) } }),
    ),
  )
  installRuntime(service.runtime)
  return responses.filter(({ status }) => status === 200).length
}

describe("GET /v1/models behind one proxy", () => {
  it("answers 5 a second to each address that the proxy saw", async () => {
    expect(await listed(() => "203.0.113.9")).toBe(5)
    expect(await listed((i) => `203.0.113.${i % 2}`)).toBe(10)
  })

  it("is not fooled by what a client writes before the proxy's entry", async () => {
    expect(await listed((i) => `198.51.100.${i}, 203.0.113.9`)).toBe(5)
  })

  it("takes an IPv6 /64 as one client", async () => {
    expect(await listed((i) => `2001:db8:1:2::${i}`)).toBe(5)
    expect(await listed((i) => `2001:db8:1:${i}::1`)).toBe(12)
  })
})

it("readiness says nothing of Redis where there is none", async () => {
  expect(await ready()).toEqual([200, { status: "ok", engine: "ok" }])
})

describe.skipIf(!hasRedis)("with Redis", () => {
  let redis: TestRedis
  let rates: RateWindows
  beforeAll(async () => {
    redis = await TestRedis.start()
    rates = await openRedisWindows({ url: redis.url, log: createLog("silent"), timeoutMs: 2_000, aliveEveryMs: 50 })
    installRuntime({ ...service.runtime, rates })
  })
  afterAll(async () => {
    await rates.close()
    await redis.kill()
    installRuntime(service.runtime)
  })

  it("readiness says how it is and stays ready without it, decisions are answered, and metrics tell", async () => {
    const { token } = await insertKey((await insertAccount()).accountId)
    const answer = async () => {
      const response = await service.decide(token, BODY)
      return [response.status, response.headers.get("x-ratelimit-limit")]
    }
    const up = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      return /^svc_redis_up (\d)$/m.exec(metrics)?.[1]
    }
    expect(await ready()).toEqual([200, { status: "ok", engine: "ok", redis: "ok" }])
    expect([await answer(), await up()]).toEqual([[200, "10"], "1"])
    await redis.kill()
    await vi.waitFor(async () =>
      expect(await ready()).toEqual([200, { status: "ok", engine: "ok", redis: "degraded" }]),
    )
    expect([await answer(), await up()]).toEqual([[200, "10"], "0"])
    await redis.resume()
    await vi.waitFor(
      async () => expect(await ready()).toEqual([200, { status: "ok", engine: "ok", redis: "ok" }]),
      5_000,
    )
    expect([await answer(), await up()]).toEqual([[200, "10"], "1"])
  })
})
