import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openRedisWindows } from "@/lib/server/limits/redis-windows"
import { memoryWindows, type RateWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { createLog } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { insertAccount, insertEngineModel, insertKey, insertPayer, insertSession } from "@/test/insert-rows"
import { TestRedis } from "@/test/redis"
import { testService } from "@/test/service"

const PROXIED = { "x-forwarded-for": "203.0.113.9" }
const QUESTIONS = { q: { type: "noul", instructions: "Is it?" } }
const BODY = { model: ALIAS, state: "s", questions: QUESTIONS }

const service = await testService(
  { TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN: "scrape", EVALUATE_RATE: "25" },
  { serve: "all" },
)
let accountId: string
beforeEach(async () => {
  // Every request of a test falls into one window.
  runtime().rates = memoryWindows(() => 1_000)
  accountId = (await insertAccount()).accountId
})

const newToken = async (): Promise<string> => (await insertKey(accountId)).token

/** Status and window of one response: limit, used, remaining. */
async function windowAfter(token: string, body: unknown = BODY) {
  const { status, headers } = await service.decide(token, body)
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  return [status, number("limit"), number("used"), number("remaining")]
}
async function times(count: number, token: string) {
  const windows = []
  for (let i = 0; i < count; i++) windows.push(await windowAfter(token))
  return windows
}

it("a connection is closed after the refusal once its key is ten times over the limit", async () => {
  const token = await newToken()
  await runtime().pool.query("UPDATE account SET requests_per_second_per_key = 1 WHERE id = $1", [accountId])
  const connections = []
  for (let i = 0; i < 12; i++) {
    const response = await service.decide(token, i < 10 ? BODY : "{", PROXIED)
    connections.push([response.status, response.headers.get("connection")])
  }
  expect(connections.slice(0, 2)).toEqual([
    [200, "keep-alive"],
    [429, "keep-alive"],
  ])
  expect(connections.slice(9)).toEqual([
    [429, "keep-alive"],
    [400, "close"],
    [400, "close"],
  ])
})

describe("an account's window", () => {
  it("is shared by its keys", async () => {
    const tokens = [await newToken(), await newToken(), await newToken()] as const
    await times(10, tokens[0])
    await times(9, tokens[1])
    expect(await windowAfter(tokens[2])).toEqual([200, 20, 20, 0])
    expect(await windowAfter(tokens[2])).toEqual([429, 20, 21, 0])
  })

  it("is shared by the API and the playground", async () => {
    const [token, cookie] = [await newToken(), await insertSession(accountId)]
    expect((await times(10, token)).at(-1)).toEqual([200, 10, 10, 0])
    const played = async () => {
      const { status, headers } = await fetch(`${service.url}/playground/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: runtime().env.CONSOLE_URL, cookie, ...PROXIED },
        body: JSON.stringify(BODY),
      })
      return [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-used")]
    }
    for (let i = 0; i < 8; i++) expect((await played())[0]).toBe(200)
    expect((await times(2, await newToken())).at(-1)).toEqual([200, 20, 20, 0])
    expect(await played()).toEqual([429, "20", "21"])
  })

  it("is not used by rows of Evaluate, which have one of their own for the account", async () => {
    const [token, cookie] = [await newToken(), await insertSession(accountId)]
    const row = async (body: unknown = BODY) => {
      const { status, headers } = await fetch(`${service.url}/evaluate/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: runtime().env.CONSOLE_URL, cookie, ...PROXIED },
        body: JSON.stringify(body),
      })
      const numbers = ["limit", "used", "remaining"].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
      return [status, ...numbers, headers.get("retry-after")]
    }
    for (let i = 0; i < 24; i++) await row()
    expect(await row()).toEqual([200, 25, 25, 0, null])
    expect(await row()).toEqual([429, 25, 26, 0, "1"])
    // The window is step 5, after the shape and the model.
    expect((await row({ ...BODY, questions: {} })).slice(0, 3)).toEqual([400, 25, 27])
    expect((await row({ ...BODY, model: "gpt" })).slice(0, 3)).toEqual([400, 25, 28])
    expect(await windowAfter(token)).toEqual([200, 10, 1, 9])
  })

  it("does not count what a key's own limit refuses", async () => {
    const [busy, calm] = [await newToken(), await newToken()]
    expect((await times(15, busy)).slice(9, 11)).toEqual([
      [200, 10, 10, 0],
      [429, 10, 11, 0],
    ])
    expect((await times(10, calm)).map(([status]) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await windowAfter(await newToken())).toEqual([429, 20, 21, 0])
  })
})

it("the headers carry whichever window is tighter", async () => {
  const [first, second] = [await newToken(), await newToken()]
  await times(10, first)
  expect(await windowAfter(second)).toEqual([200, 10, 1, 9])
  const third = await newToken()
  expect(await windowAfter(third)).toEqual([200, 20, 12, 8])
  expect((await service.decide(third, BODY)).headers.get("x-ratelimit-reset")).toBe("1")
})

const ready = async () => {
  const response = await fetch(`${service.url}/readyz`)
  return [response.status, await response.json()]
}

/** How many of 12 requests for the list of models, at once and from behind the proxy, are answered. */
async function listed(addressOf: (request: number) => string): Promise<number> {
  runtime().rates = memoryWindows(() => 1_000)
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      fetch(`${service.url}/v1/models`, { headers: { "x-forwarded-for": addressOf(i) } }),
    ),
  )
  return responses.filter(({ status }) => status === 200).length
}

describe("GET /v1/models behind one proxy", () => {
  it("answers 5 a second to each address that the proxy reports", async () => {
    expect(await listed(() => "203.0.113.9")).toBe(5)
    expect(await listed((i) => `203.0.113.${i % 2}`)).toBe(10)
  })

  it("ignores what a client writes before the proxy's entry", async () => {
    expect(await listed((i) => `198.51.100.${i}, 203.0.113.9`)).toBe(5)
  })

  it("counts an IPv6 /64 as one client", async () => {
    expect(await listed((i) => `2001:db8:1:2::${i}`)).toBe(5)
    expect(await listed((i) => `2001:db8:1:${i}::1`)).toBe(12)
  })
})

it("readiness does not mention Redis when there is none", async () => {
  expect(await ready()).toEqual([200, { status: "ok", engine: "ok" }])
})

describe("with Redis", () => {
  let redis: TestRedis
  let rates: RateWindows
  beforeAll(async () => {
    redis = await TestRedis.start()
    rates = await openRedisWindows({ url: redis.url, log: createLog("silent"), timeoutMs: 2_000, aliveEveryMs: 50 })
  })
  beforeEach(() => {
    runtime().rates = rates
  })
  afterAll(async () => {
    await rates.close()
    await redis.kill()
  })

  it("readiness and metrics show its state, and without it the service stays ready and answers decisions", async () => {
    const { token } = await insertPayer()
    const answer = async () => {
      const response = await service.decide(token, BODY)
      return [response.status, response.headers.get("x-ratelimit-limit")]
    }
    const up = async () => {
      const metrics = await (
        await fetch(`${service.url}/metrics`, { headers: { authorization: "Bearer scrape" } })
      ).text()
      return /^svc_redis_up (\d)$/m.exec(metrics)?.[1]
    }
    // On a busy machine Redis may respond after the second that its first connection has.
    await expect.poll(ready).toEqual([200, { status: "ok", engine: "ok", redis: "ok" }])
    expect([await answer(), await up()]).toEqual([[200, "10"], "1"])
    await redis.kill()
    await expect.poll(ready).toEqual([200, { status: "ok", engine: "ok", redis: "degraded" }])
    expect([await answer(), await up()]).toEqual([[200, "10"], "0"])
    await redis.resume()
    await expect.poll(ready).toEqual([200, { status: "ok", engine: "ok", redis: "ok" }])
    expect([await answer(), await up()]).toEqual([[200, "10"], "1"])
  })
})

describe("a request counts once its key is accepted", () => {
  beforeAll(async () => {
    await insertEngineModel("svc-old-1", null, { engine: "lexical" })
    await insertEngineModel("svc-down-1", "http://127.0.0.1:1")
    await retireModel(runtime(), OPERATOR, { id: "svc-old-1", replacementId: null })
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxBodyBytes: 500 })
    await loadCatalogue(runtime())
    await runtime().engines.ready()
  })

  it("also when it is refused later", async () => {
    const token = await newToken()
    const bodies = [
      BODY,
      "{",
      { ...BODY, model: "gpt" },
      { ...BODY, model: "svc-old-1" },
      { ...BODY, model: "svc-down-1" },
    ]
    const statuses = []
    for (const body of [...bodies, { ...BODY, state: "s".repeat(500) }]) statuses.push(await windowAfter(token, body))
    expect(statuses).toEqual([
      [200, 10, 1, 9],
      [400, 10, 2, 8],
      [400, 10, 3, 7],
      [410, 10, 4, 6],
      [503, 10, 5, 5],
      [413, 10, 6, 4],
    ])
  })

  it("and not before", async () => {
    const token = await newToken()
    await service.decide(token, Buffer.alloc(29_360_129, " "))
    expect(await windowAfter(token)).toEqual([200, 10, 1, 9])
  })
})
