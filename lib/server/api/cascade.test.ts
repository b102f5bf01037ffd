import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { addCascade } from "@/lib/server/models/add-cascade"
import { addModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { ASKED, askedOf, BIG, CASCADE_PRICE, newCascade, reversed, SMALL, startParts } from "@/test/cascade"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { IDLE } from "@/test/metrics-snapshot"
import { testService } from "@/test/service"

const DOLLAR = 1_000_000_000_000n
const QUESTIONS = {
  angry: { type: "noul", instructions: `${ASKED} angry?` },
  only: { type: "choice", instructions: `${ASKED} only?`, criteria: { one: null } },
  topic: { type: "choice", instructions: `${ASKED} topic?`, criteria: { bill: null, parcel: null, other: null } },
  level: { type: "score", instructions: `${ASKED} how?`, criteria: ["calm", "cross", "angry"] },
}
const STATE = "My parcel is broken."

const service = await testService()
const { small, big } = await startParts()
/** Sends every question on whose answer is not certain, and none. */
const ALL = await newCascade("svc-all-1", 1)
const NONE = await newCascade("svc-none-1", 0.000000001)

interface Body {
  model: string
  answers: Record<string, unknown>
  usage: { input_tokens: number }
  error?: { code: string }
}

async function ask(token: string, model: string, changes: object = {}, path = "/v1/decisions", signal?: AbortSignal) {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model, state: STATE, questions: QUESTIONS, ...changes }),
    signal,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

const metricOf = async (model: string, by: string) => {
  const text = await runtime().metrics.render(IDLE)
  const line = text
    .split("\n")
    .find((one) => one.includes("svc_cascade_questions_total{") && one.includes(model) && one.includes(`"${by}"`))
  return Number(line?.split(" ").at(-1) ?? 0)
}

let payer: Awaited<ReturnType<typeof insertFastKey>>
beforeEach(async () => {
  payer = await insertFastKey(DOLLAR)
  small.requests.length = 0
  big.requests.length = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  big.fault = { kind: "edited", edit: reversed, only: ASKED }
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
})
afterAll(() => Promise.all([small.stop(), big.stop()]))

describe("a cascade", () => {
  it("returns the big model's answers where none is sure enough, under its own id and at its own price", async () => {
    const [bySmall, byBig] = [await ask(payer.token, SMALL), await ask(payer.token, BIG)]
    const before = await moneyOf(payer.accountId)
    small.requests.length = 0
    big.requests.length = 0
    const { status, body } = await ask(payer.token, ALL)
    expect([status, body.model]).toEqual([200, ALL])
    expect(body.answers).toEqual({ ...byBig.body.answers, only: bySmall.body.answers.only })
    expect(body.answers.angry).not.toEqual(bySmall.body.answers.angry)
    // A question with one possible answer is sure, and goes nowhere.
    expect(
      askedOf(big)
        .flatMap(({ names }) => names)
        .toSorted(),
    ).toEqual(["angry", "level", "topic"])
    expect(askedOf(big).every(({ state }) => state === STATE)).toBe(true)
    expect(body.usage).toEqual(bySmall.body.usage)
    const after = await moneyOf(payer.accountId)
    expect(before.balance - after.balance).toBe(CASCADE_PRICE * BigInt(body.usage.input_tokens))
    expect([after.charges - before.charges, after.held]).toEqual([1, 0n])
  })

  it("returns the small model's answers where each is sure enough, and asks the big one nothing", async () => {
    const bySmall = await ask(payer.token, SMALL)
    const { body } = await ask(payer.token, NONE)
    expect(body.answers).toEqual(bySmall.body.answers)
    expect(askedOf(big)).toEqual([])
  })

  it("counts the questions that each model answered", async () => {
    const before = [await metricOf(ALL, "small"), await metricOf(ALL, "big")]
    await ask(payer.token, ALL)
    const after = [await metricOf(ALL, "small"), await metricOf(ALL, "big")]
    expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([1, 3])
  })

  it.each([
    ["an error status", { kind: "status", status: 500 }, 502, "upstream_error"],
    ["full slots", { kind: "status", status: 503 }, 503, "model_unavailable"],
    ["a closed connection", { kind: "reset" }, 503, "model_unavailable"],
    ["an answer that cannot be read", { kind: "nonsense", body: "{}" }, 502, "upstream_error"],
  ] as const)(
    "fails uncharged when the big model answers with %s, and asks the small one once",
    async (_name, fault, status, code) => {
      big.fault = { ...fault, only: ASKED }
      const failed = await ask(payer.token, ALL)
      expect([failed.status, failed.body.error?.code]).toEqual([status, code])
      expect(await moneyOf(payer.accountId)).toMatchObject({
        balance: DOLLAR,
        held: 0n,
        charges: 0,
        states: ["voided"],
      })
      expect(
        askedOf(small)
          .flatMap(({ names }) => names)
          .toSorted(),
      ).toEqual(["angry", "level", "topic"])
      // The failure is the big model's: the small one is as available as before.
      expect((await ask(payer.token, SMALL)).status).toBe(200)
    },
  )

  it("asks the big model nothing once the key is revoked, and charges nothing", async () => {
    let release = () => {}
    small.fault = { kind: "held", until: new Promise((resolve) => (release = resolve)), only: ASKED }
    const answer = ask(payer.token, ALL)
    await expect.poll(() => askedOf(small).length).toBeGreaterThan(0)
    await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [payer.keyId])
    small.fault = null
    // Later than the service relies on what it knows of a key.
    const now = performance.now.bind(performance)
    vi.spyOn(performance, "now").mockImplementation(() => now() + 2_000)
    release()
    const { status, body } = await answer
    expect([status, body.error?.code]).toEqual([401, "invalid_api_key"])
    expect(askedOf(big)).toEqual([])
    expect(await moneyOf(payer.accountId)).toMatchObject({ balance: DOLLAR, held: 0n, charges: 0 })
  })

  it("charges nothing to a client that leaves while the big model works", async () => {
    let release = () => {}
    big.fault = { kind: "held", until: new Promise((resolve) => (release = resolve)), only: ASKED }
    const leaving = new AbortController()
    const answer = ask(payer.token, ALL, {}, "/v1/decisions", leaving.signal).catch(() => null)
    await expect.poll(() => askedOf(big).length, { timeout: 20_000 }).toBeGreaterThan(0)
    leaving.abort()
    await answer
    await expect
      .poll(() => moneyOf(payer.accountId), { timeout: 20_000 })
      .toMatchObject({ held: 0n, states: ["voided"] })
    release()
    expect(await moneyOf(payer.accountId)).toMatchObject({ balance: DOLLAR, charges: 0 })
  })

  it("refuses an input over the limit of its big model before the small one is asked, and lists the smaller limits", async () => {
    const engine = { engineUrl: big.url, engineModel: "kev-4b", engine: "system-one" as const, tokenizerFolder: null }
    await addModel(runtime(), OPERATOR, { ...engine, id: FIRST_DECIDER, bothOrders: false, pricePico: pico(0) })
    await setLimits(runtime(), OPERATOR, { id: FIRST_DECIDER, maxOptions: 7, maxQuestions: 12 })
    const parts = { smallId: SMALL, bigId: FIRST_DECIDER, below: 0.000000001, pricePico: pico(CASCADE_PRICE) }
    await addCascade(runtime(), OPERATOR, { id: "svc-limited-1", ...parts })
    const available = async () => {
      await loadCatalogue(runtime())
      return (
        runtime().catalogue.find(FIRST_DECIDER)?.tokenizer && runtime().engines.availability("svc-limited-1").available
      )
    }
    await expect.poll(available, { timeout: 120_000 }).toBe(true)
    const limits = runtime().catalogue.find("svc-limited-1")?.limits
    expect(limits).toEqual({ maxQuestions: 12, maxOptions: 7, maxLevels: 10, maxBodyBytes: 29_360_128 })
    const { status, body } = await ask(payer.token, "svc-limited-1", { state: "word ".repeat(16_400) })
    expect([status, body.error?.code]).toEqual([400, "invalid_request"])
    expect(askedOf(small)).toEqual([])
    expect((await ask(payer.token, "svc-limited-1")).status).toBe(200)
  })

  it("answers although one of its parts is not sold", async () => {
    const setPrices = async (price: number | null) => {
      await runtime().pool.query("UPDATE model SET price_pico = $2 WHERE id = ANY ($1)", [[SMALL, BIG], price])
      await loadCatalogue(runtime())
    }
    await setPrices(null)
    const statuses = [(await ask(payer.token, SMALL)).status, (await ask(payer.token, ALL)).status]
    await setPrices(0)
    expect(statuses).toEqual([503, 200])
  })

  it("may be the only model of a key, whose parts it may then not call itself", async () => {
    await runtime().pool.query("UPDATE api_key SET models = $2 WHERE id = $1", [payer.keyId, [ALL]])
    expect([(await ask(payer.token, ALL)).status, (await ask(payer.token, SMALL)).status]).toEqual([200, 400])
  })
})
