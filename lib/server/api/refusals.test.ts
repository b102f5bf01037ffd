import { afterEach, describe, expect, it } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { expectDescribed } from "@/test/contract"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertEngineModel, insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"

const CENT = 10_000_000_000n
/** A cent per token. The body below has eight tokens of four bytes. */
const PRICE = CENT
const BODY = { model: "svc-dear-1", state: "abcd".repeat(7), questions: { q: { type: "noul", instructions: "abcd" } } }

const service = await testService()
const engine = await startLlamaCpp({ contextTokens: 40 })
for (const id of ["svc-dear-1", "svc-old-1", "svc-old-2"])
  await insertEngineModel(id, engine.url, { pricePico: pico(PRICE) })
await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxBodyBytes: 300_000 })
await retireModel(runtime(), OPERATOR, { id: "svc-old-1", replacementId: "svc-dear-1" })
await retireModel(runtime(), OPERATOR, { id: "svc-old-2", replacementId: null })
await loadCatalogue(runtime())
// Not `ready`, which ends after 2 s in any case.
await runtime().engines.probeNow("svc-dear-1")
afterEach(async () => {
  if (!engine.fault) return
  engine.fault = null
  // An answer that cannot be used starts a probe, which may have seen the fault.
  await expect.poll(async () => (await runtime().engines.probeNow("svc-dear-1")).available).toBe(true)
})

/** Returns status and error of one request, checked against the document. */
async function refused(body: unknown, payer?: Parameters<typeof insertPayer>[0], headers?: Record<string, string>) {
  const response = await service.decide((await insertPayer(payer)).token, body, headers)
  const { error } = (await expectDescribed(response, "/v1/decisions")) as { error: Record<string, unknown> }
  const { message, ...members } = error
  expect(message).toMatch(/^[A-Z].*\.$/)
  return { status: response.status, retryAfter: response.headers.get("retry-after"), ...members }
}

describe("a refusal", () => {
  it.each([
    ["a missing key", () => null],
    ["a foreign prefix", (token: string) => token.replace("svcd_", "svca_")],
    ["an unknown key", () => "svcd_0000000000000000000000000000000000000etOEM"],
  ])("of %s is 401 without rate headers", async (_name, change) => {
    const response = await service.decide(change((await insertPayer()).token), BODY)
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([])
    const message = "The API key is missing, invalid, expired or revoked."
    const error = { message, type: "authentication_error", code: "invalid_api_key" }
    expect([response.status, await response.json()]).toEqual([401, { error }])
  })

  it.each([
    ["another content type", { "content-type": "text/plain" }],
    ["an invalid content type", { "content-type": "x" }],
    ["a content encoding", { "content-encoding": "gzip" }],
  ])("of %s is 400 on the body", async (_name, headers) => {
    expect(await refused(BODY, {}, headers)).toMatchObject({ status: 400, code: "invalid_request", param: "body" })
  })

  it.each(["identity", "Identity", ""])("does not depend on the content encoding %j", async (encoding) => {
    const { token } = await insertPayer()
    expect((await service.decide(token, BODY, { "content-encoding": encoding })).status).toBe(200)
  })

  it("of a body over the model's own limit is 413, also when a worker read it", async () => {
    const { token } = await insertPayer()
    const send = (bytes: number) =>
      service.decide(token, { ...BODY, model: LEXICAL_BASELINE, state: "x".repeat(bytes) }).then((got) => got.json())
    const message = "The request body has 300101 bytes, but this model accepts at most 300000. Shorten the request."
    expect(await send(300_000)).toMatchObject({ error: { code: "request_too_large", param: "body", message } })
    expect(await send(290_000)).toMatchObject({ error: { code: "invalid_request" } })
  })
})

describe("a refusal names the field", () => {
  const { questions } = BODY
  const asking = (question: object) => ({ ...BODY, questions: { "a-b_1": question } })
  it.each([
    ["body", "{"],
    ["body", "[]"],
    ["model", { ...BODY, model: "" }],
    ["state", { ...BODY, state: [] }],
    ["temperature", { ...BODY, temperature: 0 }],
    ["questions", { ...BODY, questions: {} }],
    [
      "questions",
      { ...BODY, questions: Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`q${i}`, questions.q])) },
    ],
    ["questions.a b", { ...BODY, questions: { "a b": questions.q } }],
    ["questions.a-b_1", asking({ type: "noul" })],
    ["questions.a-b_1.type", asking({ type: "boolean" })],
    ["questions.a-b_1.weight", asking({ ...questions.q, weight: 1 })],
    ["questions.a-b_1.instructions", asking({ type: "noul", instructions: 1 })],
    ["questions.a-b_1.criteria", asking({ type: "choice", criteria: {} })],
    ["questions.a-b_1.criteria.a b", asking({ type: "choice", criteria: { "a b": 1 } })],
    ["questions.a-b_1.criteria.maybe", asking({ type: "noul", criteria: { maybe: null } })],
    ["questions.a-b_1.criteria.0", asking({ type: "score", criteria: [null] })],
    ["model", `{"model":"m","model":"m"}`],
    ["state", `{"model":"m","state":{"a":[{"b":1,"b":1}]}}`],
    ["questions.q", `{"questions":{"q":1,"q":1}}`],
    ["questions.q.criteria.a", `{"questions":{"q":{"criteria":{"a":1,"a":1}}}}`],
  ])("%s", async (param, body) => {
    expect(await refused(body)).toEqual({
      status: 400,
      retryAfter: null,
      type: "invalid_request_error",
      code: "invalid_request",
      param,
    })
  })
})

describe("a model that cannot be called", () => {
  it("that does not exist comes with the valid ids", async () => {
    expect(await refused({ ...BODY, model: "gpt" })).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      code: "invalid_model",
      param: "model",
      valid_models: [ALIAS, "svc-dear-1", LEXICAL_BASELINE],
    })
  })

  it.each([
    ["svc-old-1", "svc-dear-1"],
    ["svc-old-2", null],
  ])("%s that is retired comes with its successor %s", async (model, replacement) => {
    expect(await refused({ ...BODY, model })).toEqual({
      status: 410,
      retryAfter: null,
      type: "invalid_request_error",
      code: "model_retired",
      replacement_model: replacement,
    })
  })
})

describe("a balance", () => {
  const short = { status: 402, retryAfter: null, type: "billing_error", code: "insufficient_balance", topup_url: null }
  it.each([
    ["zero", 0n, "0.000000"],
    ["negative", -1_234_567n, "-0.000002"],
    ["more than one cent short", 7n * CENT - 1n, "0.069999"],
  ])("that is %s is refused with the required and the available amount", async (_what, balance, available) => {
    expect(await refused(BODY, { balancePico: balance })).toEqual({
      ...short,
      required_usd: "0.080000",
      available_usd: available,
    })
  })

  it("comes with the console page for adding credit once top-ups are on", async () => {
    const { env } = runtime()
    runtime().env = { ...env, CONSOLE_URL: "https://console.example.com", STRIPE_SECRET_KEY: "sk_test_1" }
    const { topup_url } = (await refused(BODY, { balancePico: 0n })) as { topup_url?: string }
    runtime().env = env
    expect(topup_url).toMatch(/^https:\/\/console\.example\.com\/billing\/top-up/)
  })

  it("that is one cent short is enough", async () => {
    const { token } = await insertPayer({ balancePico: 7n * CENT })
    expect((await service.decide(token, BODY)).status).toBe(200)
  })
})

describe("a key's spend limit", () => {
  const reached = {
    status: 402,
    retryAfter: null,
    type: "billing_error",
    code: "key_limit_reached",
    limit_usd: "0.079999",
  }
  it("for its life never resets", async () => {
    expect(await refused(BODY, { limitPico: 8n * CENT - 1n })).toEqual({ ...reached, resets_at: null })
  })

  it("for a day resets at the next UTC midnight", async () => {
    const nextMidnight = () => new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    const before = nextMidnight()
    const answer = await refused(BODY, { limitPico: 8n * CENT - 1n, period: "daily" })
    expect(answer).toEqual({ ...reached, resets_at: expect.any(String) })
    // The request may be answered before a midnight that has passed since.
    expect([before, nextMidnight()]).toContain((answer as { resets_at?: string }).resets_at)
  })

  it("allows a request that reaches it exactly, and counts charges", async () => {
    const { token } = await insertPayer({ limitPico: 8n * CENT })
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect((await service.decide(token, BODY)).status).toBe(402)
  })

  it("counts requests in flight", async () => {
    const { token } = await insertPayer({ limitPico: 31n * CENT })
    engine.fault = { kind: "slow", ms: 300 }
    const responses = await Promise.all(Array.from({ length: 10 }, () => service.decide(token, BODY)))
    const statuses = responses.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 200, 200, 402, 402, 402, 402, 402, 402, 402])
  })
})

describe("an input over the model's length", () => {
  const words = (count: number) => Array.from({ length: count }, () => "four").join(" ")
  it("is 400 without a param", async () => {
    expect(await refused({ ...BODY, state: words(60) })).toEqual({
      status: 400,
      retryAfter: null,
      type: "invalid_request_error",
      code: "invalid_request",
    })
  })

  it("is not approached by more questions", async () => {
    const { token } = await insertPayer({ balancePico: 100n * PRICE })
    const questions = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`q${i}`, BODY.questions.q]))
    expect((await service.decide(token, { ...BODY, questions })).status).toBe(200)
  })
})

describe("the outcome of the model call", () => {
  it.each([
    [
      "at capacity",
      { status: 429, headers: { "retry-after": "7" } },
      429,
      "capacity_exceeded",
      "rate_limit_error",
      "7",
    ],
    ["at capacity, without Retry-After", { status: 429 }, 429, "capacity_exceeded", "rate_limit_error", "1"],
    ["an invalid response", { status: 500 }, 502, "upstream_error", "api_error", null],
    ["being unavailable", { status: 503 }, 503, "model_unavailable", "api_error", null],
  ])("%s", async (_what, fault, status, code, type, retryAfter) => {
    engine.fault = { kind: "status", ...fault }
    expect(await refused(BODY)).toEqual({ status, retryAfter, type, code })
  })

  it.each(['{"answers":{}}', "no JSON", '{"answers":{"q":{"type":"noul","noul":2}}}'])(
    "an invalid response: %s",
    async (body) => {
      engine.fault = { kind: "nonsense", body }
      expect(await refused(BODY)).toMatchObject({ status: 502, code: "upstream_error" })
    },
  )
})
