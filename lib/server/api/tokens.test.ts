import { describe, expect, it } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setPrice } from "@/lib/server/models/set-model"
import { saveTokenizer } from "@/lib/server/models/tokenizers"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { enginesAvailable } from "@/test/engines-available"
import {
  insertAccount,
  insertEngineModel,
  insertKey,
  insertModel,
  insertPayer,
  insertSession,
} from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { postHead, RawConnection } from "@/test/raw-http"
import { testService } from "@/test/service"
import { tinyFiles } from "@/test/tiny-tokenizer"

const LEXICAL = "lexical-test-1"
const OWN = "own-tokenizer-test-1"
const RETIRED = "retired-test-1"
const ORIGIN = "http://localhost:3000"

const engine = await startLlamaCpp()
const service = await testService({ ENGINE_URL: engine.url }, { serve: "all" })
await setPrice(runtime(), OPERATOR, { id: await insertModel(LEXICAL), pricePico: pico(7n) })
const plain = await startLlamaCpp({ isPlainWire: true })
// This engine's token counts are removed: they are lower than the tokenizer's, which would look like a truncated input.
plain.fault = { kind: "edited", edit: ({ usage: _usage, ...body }) => body }
const tokenizer = await saveTokenizer(runtime(), tinyFiles({ normalizer: { type: "NFC" } }))
await insertEngineModel(OWN, plain.url, { engineModel: "kev-4b", pricePico: pico(11), tokenizer })
await retireModel(runtime(), OPERATOR, { id: await insertModel(RETIRED), replacementId: LEXICAL })
await loadCatalogue(runtime())
await enginesAvailable()
// All counts fall into one window, on the slowest machine too.
runtime().rates = memoryWindows(() => 1_000)

interface Asked {
  cookie?: string
  origin?: string
  type?: string
}

const ask = (route: string, body: unknown, { cookie = "", origin = ORIGIN, type = "application/json" }: Asked) =>
  fetch(`${service.url}/playground/${route}`, {
    method: "POST",
    headers: { origin, cookie, "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

async function signedIn(): Promise<{ accountId: string; cookie: string }> {
  const { accountId } = await insertAccount()
  return { accountId, cookie: await insertSession(accountId) }
}

async function balanceOf(accountId: string): Promise<bigint> {
  const { balance, held } = await moneyOf(accountId)
  expect(held).toBe(0n)
  return balance
}

const NOUL = { type: "noul", instructions: "Is the customer angry?" }
const QUESTIONS = {
  angry: NOUL,
  empty: {
    type: "choice",
    instructions: "",
    criteria: { "10": "Payments", "2": null, refund: { also: ["chargeback"] } },
  },
  __proto__x: { type: "noul", criteria: { true: "Someone is waiting", false: null } },
  urgency: { type: "score", instructions: { ask: "How urgent?" }, criteria: ["later", ["today"], { now: 1 }] },
}
const REQUESTS: [name: string, request: { state: unknown; questions: object }][] = [
  ["a text", { state: "I was charged twice and nobody has replied.", questions: QUESTIONS }],
  ["an object", { state: { from: "Ada", lines: [1, 2, { ünïcode: "žluťoučký \u{1f40e}" }] }, questions: QUESTIONS }],
  ["letters that the tokenizer takes apart", { state: "\u0958".repeat(40), questions: { only: NOUL } }],
  ["an array", { state: ["one", 'two "quoted"'], questions: { only: NOUL } }],
]

describe.each([
  [FIRST_DECIDER, "0.020000"],
  [LEXICAL, "0.000007"],
  [OWN, "0.000011"],
])("with %s", (model, price) => {
  it.each(REQUESTS)("the count of %s is what a run then charges, and costs nothing itself", async (_, request) => {
    const { accountId, cookie } = await signedIn()
    const before = await balanceOf(accountId)
    const response = await ask("tokens", { model, ...request }, { cookie })
    expect(response.status).toBe(200)
    const counted = await response.json()
    expect(await balanceOf(accountId)).toBe(before)
    const run = await (await ask("decisions", { model, ...request }, { cookie })).json()
    expect(run.model).toBe(model)
    expect(counted).toMatchObject({ model, price, input_tokens: run.usage.input_tokens })
    const { state, questions } = counted.parts
    expect(Object.keys(questions).toSorted()).toEqual(Object.keys(request.questions).toSorted())
    expect(Object.values<number>(questions).reduce((sum, own) => sum + own, state)).toBe(run.usage.input_tokens)
    const cost = BigInt(counted.cost_usd.replace(".", ""))
    expect(before - (await balanceOf(accountId))).toBe(cost)
    expect(cost).toBeGreaterThan(0n)
  })
})

it("names each part: a text's bytes in groups of four with the baseline, the engine's own tokens with a decider", async () => {
  const { cookie } = await signedIn()
  const questions = {
    a: { type: "noul", instructions: "is it late?" },
    "10": { type: "choice", criteria: { yes: null, no: {} } },
  }
  const ofBaseline = await (
    await ask("tokens", { model: LEXICAL, state: "three words here", questions }, { cookie })
  ).json()
  expect(ofBaseline).toEqual({
    model: LEXICAL,
    price: "0.000007",
    input_tokens: 10,
    // 16 bytes · 11 bytes · "yes", "no", "{}"
    parts: { state: 4, questions: { a: 3, "10": 3 } },
    max_question_tokens: null,
    largest_question_tokens: null,
    cost_usd: "0.000000000070",
  })
  const alias = { model: "svc-decider-latest", state: "three words here", questions }
  expect(await (await ask("tokens", alias, { cookie })).json()).toMatchObject({
    model: FIRST_DECIDER,
    // "thre", "e", " word", "s", " here" · "is", " it", " late", "?" · "yes", "no", "{}"
    parts: { state: 5, questions: { a: 4, "10": 3 } },
    max_question_tokens: 16_384,
    // The state, the larger question and 128 for the fixed prompt.
    largest_question_tokens: 137,
    cost_usd: "0.000000240000",
  })
})

it("the hold is three times the bytes + 1 where a normaliser lengthens, bytes + 1 where it cannot, and near a limit the count", async () => {
  await setPrice(runtime(), OPERATOR, { id: OWN, pricePico: pico(100_000_000n) })
  await loadCatalogue(runtime())
  const questions = { q: { type: "noul", instructions: "the charge" } }
  const holdOf = async (balancePico: bigint, state: string) => {
    const { token, accountId } = await insertPayer({ balancePico })
    await service.decide(token, { model: OWN, state, questions })
    const { rows } = await runtime().pool.query("SELECT max_tokens FROM hold WHERE account_id = $1", [accountId])
    return rows.map(({ max_tokens }) => Number(max_tokens))
  }
  const [far, near] = [1_000_000_000_000_000n, 100_000_000_000n]
  // 3 × 150 + 1 and 10 + 1
  expect(await holdOf(far, "\u0958".repeat(50))).toEqual([462])
  // 150 + 1 bytes and 10 + 1
  expect(await holdOf(far, "x".repeat(150))).toEqual([162])
  expect(await holdOf(near, "the charge")).toEqual([4])
  await setPrice(runtime(), OPERATOR, { id: OWN, pricePico: pico(11n) })
  await loadCatalogue(runtime())
})

describe("a refusal", () => {
  const request = { model: LEXICAL, state: "x", questions: { a: NOUL } }

  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["an unknown field", { ...request, temperature: 1 }],
    ["a repeated key", '{"model":"m","state":"a","state":"b","questions":{}}'],
    ["an empty state", { ...request, state: "" }],
    ["a question without instructions", { ...request, questions: { a: { type: "noul" } } }],
    ["an unknown model", { ...request, model: "nope" }],
    ["a retired model", { ...request, model: RETIRED }],
    [
      "too many questions",
      {
        ...request,
        model: FIRST_DECIDER,
        questions: Object.fromEntries([...Array(17).keys()].map((n) => [`q${n}`, NOUL])),
      },
    ],
  ])("of %s is the run's own", async (_, body) => {
    const { cookie } = await signedIn()
    const counted = await ask("tokens", body, { cookie })
    const run = await ask("decisions", body, { cookie })
    expect(counted.status).toBe(run.status)
    expect(counted.status).toBeGreaterThanOrEqual(400)
    expect(await counted.json()).toEqual(await run.json())
    expect(counted.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/)
  })

  it("is 400 for another content type, 401 without a session, 403 from another page", async () => {
    const { cookie } = await signedIn()
    const code = async (response: Response) => [response.status, (await response.json()).error.code]
    expect(await code(await ask("tokens", request, { cookie, type: "text/plain" }))).toEqual([400, "invalid_request"])
    expect(await code(await ask("tokens", request, {}))).toEqual([401, "signed_out"])
    expect(await code(await ask("tokens", request, { cookie, origin: "http://evil.example" }))).toEqual([
      403,
      "forbidden",
    ])
  })

  it("is 503 when the model's engine is unavailable", async () => {
    const { cookie } = await signedIn()
    engine.fault = { kind: "loading" }
    const response = await ask("tokens", { ...request, model: FIRST_DECIDER, state: "not counted before" }, { cookie })
    engine.fault = null
    expect([response.status, (await response.json()).error.code]).toEqual([503, "model_unavailable"])
  })

  it("comes after 5 counts in a second per account, and does not touch the API's own limits", async () => {
    const { accountId, cookie } = await signedIn()
    const { token } = await insertKey(accountId)
    const other = await signedIn()
    const statuses = await Promise.all([...Array(7)].map(async () => (await ask("tokens", request, { cookie })).status))
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect((await ask("tokens", request, { cookie: other.cookie })).status).toBe(200)
    const run = await service.decide(token, request)
    expect([run.status, run.headers.get("x-ratelimit-used")]).toEqual([200, "1"])
  })
})

describe("a body over 64 KiB", () => {
  const large = { model: LEXICAL, state: "x".repeat(70_000), questions: { a: NOUL } }
  const body = JSON.stringify(large)

  it("is counted one at a time per account, and other accounts do not wait", async () => {
    const [{ accountId, cookie }, other] = [await signedIn(), await signedIn()]
    const leave = service.inFlight.largeCounts.take(accountId)
    const second = await ask("tokens", body, { cookie })
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"])
    expect((await ask("tokens", body, { cookie: other.cookie })).status).toBe(200)
    expect((await ask("tokens", { ...large, state: "x" }, { cookie })).status).toBe(200)
    leave?.()
    expect((await ask("tokens", body, { cookie })).status).toBe(200)
    await expect.poll(() => service.inFlight.largeCounts.used).toBe(0)
  })

  it("takes its turn only when it is complete", async () => {
    const { cookie } = await signedIn()
    const slow = new RawConnection(service.url)
    const head = postHead({ origin: ORIGIN, cookie, "content-length": body.length })
    await slow.write(`${head.replace("/v1/decisions", "/playground/tokens")}${body.slice(0, -1)}`)
    await expect.poll(() => service.inFlight.count).toBe(1)
    expect((await ask("tokens", body, { cookie })).status).toBe(200)
    await slow.write(body.slice(-1))
    expect((await slow.awaitResponses()).map(({ status }) => status)).toEqual([200])
    slow.socket.destroy()
  })
})
