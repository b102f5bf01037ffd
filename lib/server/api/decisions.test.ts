import * as http from "node:http"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { type TestService, testService } from "@/test/service"

const STATE = "I was charged twice and nobody has replied."
const noul = { type: "noul", instructions: "Is the customer angry?" }
const BODY = { model: ALIAS, state: STATE, questions: { angry: noul } }

let service: TestService
let token: string
let accountId: string
beforeAll(async () => {
  service = await testService()
  accountId = (await insertAccount()).accountId
  token = await freshKey()
})

/** Returns a key of a new account, so that no other test's requests count against it. */
async function freshKey(): Promise<string> {
  const { accountId } = await insertAccount()
  return (await insertKey(accountId)).token
}

const errorOf = async (response: Response) => ((await response.json()) as { error: Record<string, unknown> }).error

describe("a decision", () => {
  it("answers all three types with probabilities that sum to 1, and reports what is billed", async () => {
    const response = await service.decide(await freshKey(), {
      model: ALIAS,
      state: STATE,
      questions: {
        angry: noul,
        team: { type: "choice", criteria: { "10": "Payments", "2": "Delivery", __proto__x: null } },
        urgency: { type: "score", criteria: ["later", "today", "now"] },
      },
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    const { model, answers, usage } = JSON.parse(text)
    expect(model).toBe(LEXICAL_BASELINE)
    expect(text.indexOf('"10"')).toBeLessThan(text.indexOf('"2":'))
    for (const answer of [answers.team, answers.urgency])
      expect(Object.values<number>(answer.probabilities).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
    expect(answers.urgency.legend).toEqual({ "0": "later", "1": "today", "2": "now" })
    expect(usage).toEqual({ input_tokens: expect.any(Number), output_tokens: 3 })
  })

  it("is charged exactly tokens times price, once", async () => {
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_000n) })
    await loadCatalogue(runtime())
    const account = await insertAccount(1_000_000_000_000n)
    const key = await insertKey(account.accountId)
    const { usage } = (await (await service.decide(key.token, BODY)).json()) as { usage: { input_tokens: number } }
    const { rows } = await service.runtime.pool.query("SELECT balance_pico, held_pico FROM account WHERE id = $1", [
      account.accountId,
    ])
    expect(rows).toEqual([{ balance_pico: String(1_000_000_000_000 - usage.input_tokens * 20_000), held_pico: "0" }])
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(0n) })
    await loadCatalogue(runtime())
  })

  it("carries its own request id and the rate headers", async () => {
    const response = await service.decide(await freshKey(), BODY, { "x-request-id": "mine" })
    expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/)
    expect(response.headers.get("x-ratelimit-limit")).toBe("10")
    expect(response.headers.get("x-ratelimit-used")).toBe("1")
    expect(response.headers.get("x-ratelimit-remaining")).toBe("9")
    expect(response.headers.get("x-ratelimit-reset")).toBe("1")
  })
})

describe("a refusal", () => {
  it.each([
    ["a missing key", async () => service.decide(null, BODY)],
    ["a foreign prefix", async () => service.decide(token.replace("svcd_", "svca_"), BODY)],
    ["an unknown key", async () => service.decide("svcd_0000000000000000000000000000000000000etOEM", BODY)],
    [
      "an expired key",
      async () => service.decide((await insertKey(accountId, { expiresAt: new Date(Date.now() - 1_000) })).token, BODY),
    ],
  ])("of %s is 401 without rate headers", async (_name, send) => {
    const response = await send()
    expect(response.status).toBe(401)
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([])
    expect(response.headers.get("x-request-id")).toMatch(/^req_/)
    expect(await errorOf(response)).toEqual({
      message: "The API key is missing, invalid, expired or revoked.",
      type: "authentication_error",
      code: "invalid_api_key",
    })
  })

  it("of an invalid body names the field, and counts in the window", async () => {
    const response = await service.decide(await freshKey(), `{"model":"x","state":"","questions":{}}`)
    expect(response.status).toBe(400)
    expect(response.headers.get("x-ratelimit-used")).toBe("1")
    expect(await errorOf(response)).toMatchObject({ code: "invalid_request", param: "state" })
  })

  it.each([
    ["another content type", { "content-type": "text/plain" }],
    ["an invalid content type", { "content-type": "x" }],
    ["a content encoding", { "content-encoding": "gzip" }],
  ])("of %s is 400 on the body", async (_name, headers) => {
    const response = await service.decide(await freshKey(), BODY, headers)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: "invalid_request", param: "body" })
  })

  it("of an unknown model lists the callable ids", async () => {
    const response = await service.decide(await freshKey(), { ...BODY, model: "gpt" })
    expect(await errorOf(response)).toMatchObject({
      code: "invalid_model",
      param: "model",
      valid_models: [ALIAS, LEXICAL_BASELINE],
    })
  })

  it("of a zero balance shows the required amount and that top-ups are off", async () => {
    const { accountId } = await insertAccount(0n)
    const response = await service.decide((await insertKey(accountId)).token, BODY)
    expect(response.status).toBe(402)
    expect(await errorOf(response)).toMatchObject({
      type: "billing_error",
      code: "insufficient_balance",
      required_usd: "0.000000",
      available_usd: "0.000000",
      topup_url: null,
    })
  })

  it("by the rate limit is 429 with Retry-After, and the model is not reached", async () => {
    // All requests are in one second, however long they take.
    const app = runtime()
    const { rates } = app
    app.rates = memoryWindows(() => 0)
    onTestFinished(() => {
      app.rates = rates
    })
    const key = await freshKey()
    const responses = await Promise.all(Array.from({ length: 30 }, () => service.decide(key, BODY)))
    const refused = responses.filter((response) => response.status === 429)
    expect(refused).toHaveLength(20)
    expect(refused[0]?.headers.get("retry-after")).toBe("1")
    expect(refused[0]?.headers.get("x-ratelimit-remaining")).toBe("0")
  })

  it("of a declared body over 28 MiB is 413 before the key is checked", async () => {
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = http.request(
        `${service.url}/v1/decisions`,
        { method: "POST", headers: { "content-length": 29_360_129 } },
        (response) => {
          let body = ""
          response.on("data", (chunk) => {
            body += chunk
          })
          response.on("end", () => resolve({ status: response.statusCode, body }))
        },
      )
      request.on("error", reject)
      request.write("{")
    })
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body).error).toMatchObject({ code: "request_too_large", param: "body" })
  })

  it("at an unknown path or method has the same shape", async () => {
    const lost = await fetch(`${service.url}/v1/nothing`)
    expect([lost.status, (await errorOf(lost)).code]).toEqual([404, "not_found"])
    const wrong = await fetch(`${service.url}/v1/decisions`)
    expect([wrong.status, wrong.headers.get("allow"), (await errorOf(wrong)).code]).toEqual([
      405,
      "POST",
      "method_not_allowed",
    ])
  })
})

describe("the order of checks", () => {
  const many = Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`q${i}`, noul]))

  it("puts the shape before the model, the model before its limits, and its limits before the balance", async () => {
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxQuestions: 2 })
    await loadCatalogue(runtime())
    const { accountId } = await insertAccount(0n)
    const key = (await insertKey(accountId, { limitPico: 1n })).token
    const code = async (body: unknown) => (await errorOf(await service.decide(key, body))).code
    expect(await code({ model: "gpt", state: STATE, questions: {} })).toBe("invalid_request")
    expect(await code({ model: "gpt", state: STATE, questions: many })).toBe("invalid_model")
    expect(await errorOf(await service.decide(key, { ...BODY, questions: many }))).toMatchObject({
      code: "invalid_request",
      param: "questions",
    })
    expect(await code(BODY)).toBe("insufficient_balance")
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(1n) })
    await loadCatalogue(runtime())
    expect(await code(BODY)).toBe("key_limit_reached")
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(0n) })
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxQuestions: 16 })
    await loadCatalogue(runtime())
  })
})

describe("a model's own body limit", () => {
  it("is 413 with rate headers, also for a body that a worker read", async () => {
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxBodyBytes: 300_000 })
    await loadCatalogue(runtime())
    const sized = (bytes: number) => ({ ...BODY, state: "x".repeat(bytes) })
    const key = await freshKey()
    const over = await service.decide(key, sized(300_000))
    expect([over.status, over.headers.get("x-ratelimit-used")]).toEqual([413, "1"])
    expect(await errorOf(over)).toMatchObject({
      code: "request_too_large",
      param: "body",
      message: "The request body has 300119 bytes, but this model accepts at most 300000. Shorten the request.",
    })
    const under = await service.decide(key, sized(290_000))
    expect([under.status, (await errorOf(under)).code]).toEqual([400, "invalid_request"])
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxBodyBytes: 29_360_128 })
    await loadCatalogue(runtime())
  })
})
