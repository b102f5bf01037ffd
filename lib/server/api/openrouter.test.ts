import { OpenRouter } from "@openrouter/sdk"
import type { DecisionsRequest } from "@openrouter/sdk/models"
import * as errors from "@openrouter/sdk/models/errors"
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { LogFields } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { expectDescribed } from "@/test/contract"
import { insertFastKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const PATHS = ["/api/alpha/decisions", "/api/v1/systemone", "/api/v1/decisions"]
const PRICE = 20_001n
const REQUEST: DecisionsRequest = {
  model: "typesafe/jev-latest",
  state: "I was charged twice. Refund me.",
  questions: {
    "order.refund": { type: "noul", instructions: "Refund?" },
    team: { type: "choice", instructions: "Which team?", criteria: { billing: "Payments", delivery: "Parcels" } },
    urgency: { type: "score", instructions: "How urgent?", criteria: ["later", "today"] },
  },
}

const service = await testService({ SERVICE_NAME: "Acme Decisions" })
beforeAll(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(PRICE) })
  await loadCatalogue(runtime())
})

let lines: LogFields[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(runtime().log, "info").mockImplementation((_message, fields = {}) => void lines.push(fields))
})
afterEach(() => vi.restoreAllMocks())

const post = (path: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })

const client = (apiKey: string) =>
  new OpenRouter({
    apiKey,
    serverURL: `${service.url}/api/v1`,
    retryConfig: { strategy: "none" },
    httpReferer: "https://app.example.com",
    appTitle: "App",
  })

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (thrown: unknown) => thrown,
  )

describe("@openrouter/sdk with its base set to /api/v1", () => {
  it("parses an answer of every type, with the request's id, the service's name and the exact cost", async () => {
    const { accountId, token } = await insertPayer()
    const before = (await moneyOf(accountId)).balance
    const answer = await client(token).systemOne.create({ decisionsRequest: REQUEST })
    const charged = before - (await moneyOf(accountId)).balance
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
      provider: "Acme Decisions",
      model: LEXICAL_BASELINE,
      answers: {
        "order.refund": { type: "noul", noul: expect.any(Number) },
        team: { type: "choice", choice: expect.any(String), confidence: expect.any(Number) },
        urgency: { type: "score", legend: { "0": "later", "1": "today" } },
      },
      usage: { inputTokens: expect.any(Number), outputTokens: 3 },
    })
    expect(charged).toBe(BigInt(answer.usage.inputTokens) * PRICE)
    expect(answer.usage.cost).toBe(Number(charged) / 1e12)
  })

  it("reaches the alpha path too", async () => {
    const { token } = await insertPayer()
    const options = { serverURL: service.url }
    const answer = await client(token).alpha.decisions.create({ decisionsRequest: REQUEST }, options)
    expect(Object.keys(answer.answers)).toEqual(["order.refund", "team", "urgency"])
  })

  it.each([
    ["an unknown model", errors.BadRequestResponseError, 400, "invalid_model", { model: "typesafe/jev-0" }],
    ["an image", errors.BadRequestResponseError, 400, "invalid_request", { state: [{ type: "image_url" }] }],
  ] as const)("throws its own class for %s", async (_what, kind, status, code, change) => {
    const { token } = await insertPayer()
    const refusal = await refusalOf(client(token).systemOne.create({ decisionsRequest: { ...REQUEST, ...change } }))
    expect(refusal).toBeInstanceOf(kind)
    expect(refusal).toMatchObject({ error: { code: status, metadata: { code, type: "invalid_request_error" } } })
  })

  it("throws its own class without a valid key, without balance and above the rate limit", async () => {
    const ask = (token: string) => refusalOf(client(token).systemOne.create({ decisionsRequest: REQUEST }))
    expect(await ask("sk-or-v1-1")).toBeInstanceOf(errors.UnauthorizedResponseError)
    const poor = await ask((await insertPayer({ balancePico: 0n })).token)
    expect(poor).toBeInstanceOf(errors.PaymentRequiredResponseError)
    expect(poor).toMatchObject({ error: { code: 402, metadata: { available_usd: "0.000000" } } })
    const { token } = await insertPayer()
    vi.spyOn(runtime().rates, "count").mockReturnValueOnce({
      limit: 10,
      used: 11,
      remaining: 0,
      resetSeconds: 1,
      exceeded: true,
      retryAfterMs: 1_200,
    } as never)
    expect(await ask(token)).toBeInstanceOf(errors.TooManyRequestsResponseError)
  })

  it("lists the models with the names that its users send, in pages of any size", async () => {
    const ids = []
    for await (const { result } of await client("").models.list({ limit: 2 }))
      ids.push(...result.data.map(({ id }) => id))
    expect(ids).toEqual([
      ALIAS,
      LEXICAL_BASELINE,
      "typesafe/jev-latest",
      "~typesafe/jev-latest",
      "typesafe/jev-1.13",
      "typesafe/jev-1.14",
      "openai/gpt-6-luna-decisions",
    ])
  })

  it("reads its key: the limit, what is left of it, and what was charged", async () => {
    const { token } = await insertPayer({ limitPico: 5_000_000_000_000n, period: "daily" })
    const { usage } = await client(token).systemOne.create({ decisionsRequest: REQUEST })
    const { data } = await client(token).apiKeys.getCurrentKeyMetadata()
    const cost = usage.cost ?? 0
    expect(cost).toBeGreaterThan(0)
    expect(data).toMatchObject({ limit: 5, limitReset: "daily", rateLimit: { requests: 10, interval: "1s" } })
    expect(data.limitRemaining).toBeCloseTo(5 - cost, 12)
    expect([data.usage, data.usageDaily, data.usageWeekly, data.usageMonthly]).toEqual([cost, cost, cost, cost])
  })
})

describe.each(PATHS)("POST %s", (path) => {
  it("answers like /v1/systemone: equal numbers, equal charge, and an equal log but for the route", async () => {
    const seen = []
    for (const [at, model] of [
      ["/v1/systemone", "jev-latest"],
      [path, "typesafe/jev-latest"],
    ] as const) {
      const { accountId, token } = await insertPayer()
      const before = (await moneyOf(accountId)).balance
      lines = []
      const response = await post(at, token, { ...REQUEST, model, session_id: "s", trace: {}, user: "u", provider: {} })
      const { answers, usage } = (await expectDescribed(response, at)) as { answers: object; usage: object }
      await expect.poll(() => lines.length).toBe(1)
      const { route, requestId, accountId: _a, keyId: _k, latencyMs: _l, ...line } = lines[0] ?? {}
      expect([route, requestId]).toEqual([at, response.headers.get("x-request-id")])
      const charged = before - (await moneyOf(accountId)).balance
      seen.push({ status: response.status, answers, input: Reflect.get(usage, "input_tokens"), charged, line })
    }
    expect(seen[1]).toEqual(seen[0])
  })

  it("refuses with the status as its code, in every kind of refusal", async () => {
    const fast = await insertFastKey()
    const poor = await insertPayer({ balancePico: 0n })
    for (const [token, body, status, code] of [
      [fast.token, { ...REQUEST, state: 1 }, 400, "invalid_request"],
      [fast.token, { ...REQUEST, assets: { a: {} } }, 400, "invalid_request"],
      [fast.token, { ...REQUEST, model: "jev-latest" }, 400, "invalid_model"],
      ["svcd_unknown", REQUEST, 401, "invalid_api_key"],
      [poor.token, REQUEST, 402, "insufficient_balance"],
    ] as const) {
      const response = await post(path, token, body)
      const { error } = (await expectDescribed(response, path)) as { error: object }
      expect(error).toMatchObject({ code: status, message: expect.any(String), metadata: { code } })
      expect(response.status).toBe(status)
      expect(response.headers.get("x-typesafe-request-id")).toBe(response.headers.get("x-request-id"))
    }
    const other = await fetch(service.url + path)
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"])
    expect(await other.json()).toMatchObject({ error: { code: 405, metadata: { code: "method_not_allowed" } } })
  })

  it("charges an Idempotency-Key once, and then states a cost of zero", async () => {
    const { accountId, token } = await insertPayer()
    const costs = []
    for (let i = 0; i < 2; i++) {
      const response = await post(path, token, REQUEST, { "idempotency-key": "order-1" })
      costs.push(((await response.json()) as { usage: { cost: number } }).usage.cost > 0)
    }
    expect(costs).toEqual([true, false])
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  })
})

it("other paths below OpenRouter's are JSON 404s in its form", async () => {
  for (const path of ["/api/v1/chat/completions", "/api/alpha", "/api/v1"]) {
    const response = await fetch(service.url + path)
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: { code: 404 } }])
  }
})

describe("GET /api/v1/models", () => {
  const list = async (query: string) => {
    vi.spyOn(runtime().rates, "countAddress").mockReturnValue(true)
    const response = await fetch(`${service.url}/api/v1/models${query}`)
    const { data, total_count } = (await expectDescribed(response, "/api/v1/models", "get")) as {
      data: { id: string }[]
      total_count: number
    }
    return [data.length, total_count]
  }

  it("is filtered by output and cut by offset and limit, as asked", async () => {
    expect(await list("")).toEqual([7, 7])
    expect(await list("?output_modalities=decisions&category=legal")).toEqual([7, 7])
    expect(await list("?output_modalities=image,text")).toEqual([0, 7])
    expect(await list("?offset=5&limit=10")).toEqual([2, 7])
    expect(await list("?offset=x&limit=3")).toEqual([3, 7])
  })
})

describe("GET /api/v1/key", () => {
  const read = (token: string) => fetch(`${service.url}/api/v1/key`, { headers: { authorization: `Bearer ${token}` } })

  it("names no limit of a key without one, and shows exact amounts", async () => {
    const { token } = await insertPayer()
    await post("/api/v1/systemone", token, REQUEST)
    const response = await read(token)
    const text = await response.clone().text()
    const { data } = (await expectDescribed(response, "/api/v1/key", "get")) as { data: Record<string, unknown> }
    expect(data).toMatchObject({ limit: null, limit_remaining: null, limit_reset: null, expires_at: null })
    expect(text).toMatch(/"usage":0\.\d{12},/)
  })

  it("needs a valid key that may be used for OpenRouter's routes", async () => {
    const { token, keyId } = await insertPayer()
    const ofAnother = await insertPayer()
    await runtime().pool.query("UPDATE api_key SET routes = '{/v1/decisions}' WHERE id = $1", [keyId])
    await runtime().pool.query("UPDATE api_key SET routes = '{/api/v1/decisions}' WHERE id = $1", [ofAnother.keyId])
    expect([(await read(token)).status, (await read(ofAnother.token)).status]).toEqual([401, 200])
    await expectDescribed(await read("svcd_unknown"), "/api/v1/key", "get")
  })

  it("answers 5 times a second, and leaves the key's own rate limit alone", async () => {
    const { token } = await insertPayer()
    const before = runtime().rates
    runtime().rates = memoryWindows(() => 1_000)
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await read(token)).status)
    const response = await post("/api/v1/systemone", token, REQUEST)
    runtime().rates = before
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect([response.status, response.headers.get("x-ratelimit-used")]).toEqual([200, "1"])
  })
})
