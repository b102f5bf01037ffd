import { expect, it, vi } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { insertFastKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { BATCH_PLACES, gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const PATH = "/v1/systemone/batch"
const ASKED = { model: ALIAS, questions: { q: { type: "noul", instructions: "Is it?" } } }
/** What the scripted engine charges for each state. */
const TEN_CENTS = 100_000_000_000n
const DOLLAR = 10n * TEN_CENTS

const scripted = scriptedService()

const states = (count: number) => Array.from({ length: count }, (_, i) => `State ${i}`)

const send = (token: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${scripted.service.url}${PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
    signal,
  })

interface Result {
  model?: string
  error?: { code: string; message: string; param?: string }
  detail?: { type: string; loc: (string | number)[]; msg: string }[]
}

/** Sends a batch, whose response must be as described. Returns what its results say: `ok`, or the code of an error. */
async function results(token: string, body: unknown, headers?: Record<string, string>) {
  const response = await send(token, body, headers)
  const { results: made = [], error } = (await expectDescribed(response, PATH)) as {
    results?: Result[]
    error?: Result["error"]
  }
  const words = made.map((result) => (result.error ? result.error.code : "ok"))
  return { status: response.status, headers: response.headers, words, made, error }
}

it("each state is answered in order, held and charged by itself, and the header has the exact sum", async () => {
  // The tokens of a state say which one it is.
  vi.restoreAllMocks()
  const { accountId, token } = await insertFastKey(DOLLAR)
  const questions = { q: { type: "choice", criteria: { refund: "a refund", invoice: "an invoice" } } }
  const sent = ["I want a refund.", "Where is my invoice?", { text: "An invoice, please, and nothing else" }, ""]
  const { status, headers, made } = await results(token, { model: "jev-latest", states: sent, questions })
  expect(status).toBe(200)
  const answers = made as { answers?: { q: { choice: string } }; usage?: { input_tokens: number } }[]
  expect(answers.slice(0, 3).map((one) => one.answers?.q.choice)).toEqual(["refund", "invoice", "invoice"])
  const single = []
  for (const state of sent) {
    const response = await fetch(`${scripted.service.url}/v1/systemone`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: "jev-latest", state, questions }),
    })
    single.push({ cost: response.headers.get("x-svc-cost-usd"), json: await response.json() })
  }
  expect(made).toEqual(single.map(({ json }) => json))
  const { rows } = await runtime().pool.query<{ tokens: number; hold_id: string; cost: string }>(
    "SELECT tokens::int, hold_id, -amount_pico AS cost FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' ORDER BY id",
    [accountId],
  )
  expect(rows).toHaveLength(8)
  const ofBatch = rows.slice(0, 4)
  expect(ofBatch.map(({ tokens }) => tokens).toSorted()).toEqual(
    answers.map(({ usage }) => usage?.input_tokens ?? 0).toSorted(),
  )
  const sum = ofBatch.reduce((total, { cost }) => total + BigInt(cost), 0n)
  expect(headers.get("x-svc-cost-usd")).toBe(`0.${sum.toString().padStart(12, "0")}`)
  expect(new Set(ofBatch.map(({ hold_id }) => hold_id)).size).toBe(4)
})

it("64 states are 64 charges, in one request of up to as many states at once as batches may have", async () => {
  const { accountId, token } = await insertFastKey(100n * TEN_CENTS)
  let most = 0
  scripted.engine.waitBeforeAnswer = () => {
    most = Math.max(most, scripted.engine.working)
  }
  const { status, words, headers } = await results(token, { ...ASKED, states: states(64) })
  expect([status, words]).toEqual([200, Array(64).fill("ok")])
  expect(headers.get("x-svc-cost-usd")).toBe("6.400000000000")
  expect(await moneyOf(accountId)).toMatchObject({ balance: 36n * TEN_CENTS, held: 0n, charges: 64 })
  expect(most).toBe(BATCH_PLACES)
})

it.each([
  ["65 states", { ...ASKED, states: states(65) }, "states"],
  ["no states", { ...ASKED, states: [] }, "states"],
  ["states that are no list", { ...ASKED, states: "one" }, "states"],
  ["no field of states", { ...ASKED, state: "one" }, "states"],
  ["a question that is wrong", { ...ASKED, states: ["a"], questions: { q: { type: "maybe" } } }, "questions.q.type"],
  ["an unknown model", { ...ASKED, states: ["a"], model: "none" }, "model"],
])("a batch with %s is refused as a whole, and nothing is held", async (_what, body, param) => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const { status, error } = await results(token, body)
  expect([status, error?.param]).toEqual([400, param])
  expect(await moneyOf(accountId)).toEqual({ balance: DOLLAR, held: 0n, states: [], charges: 0 })
})

it("a batch whose states with the questions of each exceed the model's body limit is 413", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const long = { ...ASKED.questions.q, instructions: "i".repeat(500_000) }
  const { status, error } = await results(token, { ...ASKED, states: states(60), questions: { q: long } })
  expect([status, error?.code, error?.param]).toEqual([413, "request_too_large", "body"])
  expect(await moneyOf(accountId)).toMatchObject({ balance: DOLLAR, states: [] })
})

it("a state that is wrong is refused in its place, and the others are answered", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const image = [{ type: "image_url", image_url: { url: "data:," } }]
  const { status, words, made } = await results(token, { ...ASKED, states: ["a", 7, "b", image, null, {}] })
  expect([status, words]).toEqual([200, ["ok", "invalid_request", "ok", "invalid_request", "invalid_request", "ok"]])
  expect(made.map(({ error }) => error?.param)).toEqual([
    undefined,
    "states.1",
    undefined,
    "states.3",
    "states.4",
    undefined,
  ])
  expect(await moneyOf(accountId)).toMatchObject({ balance: 7n * TEN_CENTS, held: 0n, charges: 3 })
})

it("each of several refused states is named in error and in detail, where the two kinds of clients read", async () => {
  const { token } = await insertFastKey(DOLLAR)
  const { status, made } = await results(token, { ...ASKED, states: [true, "a", null, 0.5, "b"] })
  expect(status).toBe(200)
  const named = made.map(({ error, detail }) => error && [error.code, error.param, detail])
  const refused = (position: number) => {
    const msg = made[position]?.error?.message
    expect(msg).toMatch(/state/i)
    const detail = [{ type: "invalid_request", loc: ["body", "states", position], msg }]
    return ["invalid_request", `states.${position}`, detail]
  }
  expect(named).toEqual([refused(0), undefined, refused(2), refused(3), undefined])
})

it("when no state is answered, the response is the error of the first", async () => {
  const { accountId, token } = await insertFastKey(0n)
  const poor = await results(token, { ...ASKED, states: ["a", 7] })
  expect([poor.status, poor.error?.code]).toEqual([402, "insufficient_balance"])
  const wrong = await results(token, { ...ASKED, states: [7, "a"] })
  expect([wrong.status, wrong.error?.param]).toEqual([400, "states.0"])
  expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: 0 })
})

it("a balance that runs out refuses the states that it does not pay for, and is never overdrawn", async () => {
  const { accountId, token } = await insertFastKey(3n * TEN_CENTS)
  const { status, words, headers } = await results(token, { ...ASKED, states: states(9) })
  expect([status, words.toSorted()]).toEqual([200, [...Array(6).fill("insufficient_balance"), "ok", "ok", "ok"]])
  expect(headers.get("x-svc-cost-usd")).toBe("0.300000000000")
  expect(await moneyOf(accountId)).toMatchObject({ balance: 0n, held: 0n, charges: 3 })
})

it("every state counts in the windows of key and account, which stay closed until the batch is paid off", async () => {
  let now = 1_000
  vi.spyOn(runtime(), "rates", "get").mockReturnValue(memoryWindows(() => now))
  const { accountId, token } = await insertPayer({ balancePico: 100n * TEN_CENTS })
  const ask = async () => {
    const { status, headers } = await send(token, { ...ASKED, states: ["a"] })
    return [status, ...["limit", "remaining", "used", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))]
  }
  const { status, headers } = await results(token, { ...ASKED, states: states(25) })
  expect([status, headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")]).toEqual([200, "0", "2"])
  const refused = await send(token, { ...ASKED, states: ["a"] })
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"])
  expect(Number(refused.headers.get("retry-after-ms"))).toBeGreaterThanOrEqual(1_000)
  now = 2_000
  expect(await ask()).toEqual([429, "10", "0", "11", "1"])
  now = 3_000
  expect(await ask()).toEqual([200, "10", "4", "6", "1"])
  expect(await moneyOf(accountId)).toMatchObject({ charges: 26 })
})

it("states that are not begun when the key ends are refused, and what was answered stays charged", async () => {
  const { accountId, keyId, token } = await insertFastKey(DOLLAR)
  const { wait, open } = gate()
  let begun = 0
  scripted.engine.waitBeforeAnswer = () => (++begun > BATCH_PLACES ? undefined : wait())
  const sent = results(token, { ...ASKED, states: states(9) })
  await expect.poll(() => scripted.engine.working).toBe(BATCH_PLACES)
  expect((await moneyOf(accountId)).held).toBe(4n * TEN_CENTS)
  await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [keyId])
  open()
  const { status, words } = await sent
  expect([status, words]).toEqual([200, [...Array(4).fill("ok"), ...Array(5).fill("invalid_api_key")]])
  expect(await moneyOf(accountId)).toMatchObject({ balance: 6n * TEN_CENTS, held: 0n, charges: 4 })
})

it("a client that leaves pays for no state that was not answered", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const { wait, open } = gate()
  let begun = 0
  scripted.engine.waitBeforeAnswer = () => (++begun > 2 ? wait() : undefined)
  const leaving = new AbortController()
  const sent = send(token, { ...ASKED, states: states(9) }, {}, leaving.signal).catch(() => null)
  await expect.poll(async () => (await moneyOf(accountId)).charges).toBe(2)
  await expect.poll(() => begun).toBe(2 + BATCH_PLACES)
  leaving.abort()
  await sent
  await expect.poll(() => scripted.engine.working).toBe(0)
  open()
  await expect.poll(async () => (await moneyOf(accountId)).held).toBe(0n)
  expect(begun).toBe(2 + BATCH_PLACES)
  expect(await moneyOf(accountId)).toMatchObject({ balance: 8n * TEN_CENTS, charges: 2 })
})

it("a batch of one customer leaves places at the engine to the others", async () => {
  const { wait, open } = gate()
  const [one, other] = [await insertFastKey(100n * TEN_CENTS), await insertFastKey(DOLLAR)]
  let batch = 0
  scripted.engine.waitBeforeAnswer = () => (batch++ < BATCH_PLACES ? wait() : undefined)
  const sent = results(one.token, { ...ASKED, states: states(64) })
  await expect.poll(() => scripted.engine.working).toBe(BATCH_PLACES)
  const single = await scripted.service.decide(other.token, { ...ASKED, state: "s" })
  expect(single.status).toBe(200)
  open()
  expect((await sent).words).toEqual(Array(64).fill("ok"))
})
