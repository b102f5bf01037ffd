import { expect, it } from "vitest"
import { hashKey, requireWellFormed } from "@/lib/server/decisions/idempotency"
import { placeHold } from "@/lib/server/ledger/hold"
import { claimKey } from "@/lib/server/ledger/idempotency-claims"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { idOfPart, newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { interceptPool } from "@/test/decide-directly"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { BATCH_PLACES, gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const ASKED = { model: ALIAS, questions: { q: { type: "noul", instructions: "Is it?" } } }
const TEN_CENTS = 100_000_000_000n
const DOLLAR = 10n * TEN_CENTS

const scripted = scriptedService()

const states = (count: number) => Array.from({ length: count }, (_, i) => `State ${i}`)

interface Body {
  results?: { error?: { code: string } }[]
  error?: { code: string; param?: string }
}

/** Sends a batch with the key `k`, and returns what a client reads of the response. */
async function send(token: string, body: unknown = { ...ASKED, states: states(5) }, path = "/v1/systemone/batch") {
  const response = await fetch(`${scripted.service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "idempotency-key": "k" },
    body: JSON.stringify(body),
  })
  const { results = [], error } = (await response.json()) as Body
  return {
    status: response.status,
    cost: response.headers.get("x-svc-cost-usd"),
    replayed: response.headers.get("idempotent-replayed"),
    words: results.map((result) => result.error?.code ?? "ok"),
    error: error && [error.code, error.param],
  }
}

const ANSWERED = { status: 200, words: Array(5).fill("ok"), error: undefined }
const FIRST = { ...ANSWERED, cost: "0.500000000000", replayed: null }
const AGAIN = { ...ANSWERED, cost: "0.000000000000", replayed: "true" }
const CHARGED = { balance: 5n * TEN_CENTS, held: 0n, charges: 5 }

it("a batch with the same key is charged once, and answered again five times", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  expect(await send(token)).toEqual(FIRST)
  for (let i = 0; i < 5; i++) expect(await send(token)).toEqual(AGAIN)
  expect(await send(token)).toMatchObject({ status: 400, error: ["invalid_request", "Idempotency-Key"] })
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a retry charges only the states that were not charged before", async () => {
  const { accountId, token } = await insertFastKey(3n * TEN_CENTS)
  const first = await send(token)
  expect([first.status, first.cost, first.words.filter((word) => word === "ok").length]).toEqual([
    200,
    "0.300000000000",
    3,
  ])
  await postEntry(runtime().pool, { accountId, kind: "credit", amountPico: pico(7n * TEN_CENTS), source: "more" })
  expect(await send(token)).toEqual({ ...ANSWERED, cost: "0.200000000000", replayed: "true" })
  expect(await send(token)).toEqual(AGAIN)
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a batch that arrives while another with its key is being answered waits for it", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const { wait, open } = gate()
  scripted.engine.waitBeforeAnswer = wait
  const first = send(token)
  await expect.poll(() => scripted.engine.working).toBe(BATCH_PLACES)
  const second = send(token)
  await expect.poll(async () => (await scripted.rowsOf(accountId)).length).toBe(1)
  open()
  expect([await first, await second]).toEqual([FIRST, AGAIN])
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("the key of a batch belongs to its body, also for single requests", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  await send(token)
  const other = { status: 400, error: ["invalid_request", "Idempotency-Key"] }
  expect(await send(token, { ...ASKED, states: states(4) })).toMatchObject(other)
  expect(await send(token, { ...ASKED, state: "State 0" }, "/v1/decisions")).toMatchObject(other)
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a batch that fails as a whole leaves its key free", async () => {
  const { accountId, token } = await insertFastKey(0n)
  expect(await send(token)).toMatchObject({ status: 402, error: ["insufficient_balance", undefined] })
  expect(await scripted.rowsOf(accountId)).toEqual([])
})

/** Makes requests fail after their charges, as for a process that ends there. */
function endBeforeResponse(): void {
  interceptPool(async (name, run) => {
    if (name === "keep-claim") throw new Error("Connection terminated unexpectedly")
    return run()
  })
}

it("a process that ends after the charges and before the response costs no second charge", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  endBeforeResponse()
  expect(await send(token)).toEqual(FIRST)
  await setLedgerClock("clock_timestamp() + interval '7 s'")
  expect(await send(token)).toEqual(AGAIN)
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("states that were charged belong to the body of their batch, also when its process ended before the response", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  endBeforeResponse()
  expect(await send(token)).toEqual(FIRST)
  await setLedgerClock("clock_timestamp() + interval '7 s'")
  const other = { ...ASKED, states: states(6).slice(1) }
  expect(await send(token, other)).toMatchObject({ status: 400, error: ["invalid_request", "Idempotency-Key"] })
  expect(await send(token)).toEqual(AGAIN)
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a retry that is not answered does not count as a computation", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  expect(await send(token)).toEqual(FIRST)
  scripted.engine.waitBeforeAnswer = () => Promise.reject(new ServiceError("upstream_error"))
  for (let i = 0; i < 2; i++)
    expect(await send(token)).toMatchObject({ status: 502, error: ["upstream_error", undefined] })
  scripted.engine.waitBeforeAnswer = () => {}
  for (let i = 0; i < 5; i++) expect(await send(token)).toEqual(AGAIN)
  expect(await send(token)).toMatchObject({ status: 400, error: ["invalid_request", "Idempotency-Key"] })
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a batch is charged again 24 hours later", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  expect(await send(token)).toEqual(FIRST)
  await setLedgerClock("clock_timestamp() + interval '24 h 1 s'")
  expect(await send(token)).toEqual(FIRST)
  expect(await moneyOf(accountId)).toMatchObject({ balance: 0n, held: 0n, charges: 10 })
})

it("a retry does not wait for a transaction that has locked the charge of a state", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  expect(await send(token)).toEqual(FIRST)
  const other = await runtime().pool.connect()
  await other.query("BEGIN")
  // The batch's own row has the hold of one of its states.
  const ofStates =
    "SELECT hold_id FROM idempotency_key WHERE account_id = $1 GROUP BY hold_id HAVING count(*) = 1 LIMIT 1"
  await other.query(`SELECT FROM idempotency_key WHERE hold_id = (${ofStates}) FOR NO KEY UPDATE`, [accountId])
  const { words } = await send(token)
  expect(words.toSorted()).toEqual(["capacity_exceeded", "ok", "ok", "ok", "ok"])
  await other.query("COMMIT")
  other.release()
  expect(await send(token)).toEqual(AGAIN)
  expect(await moneyOf(accountId)).toMatchObject(CHARGED)
})

it("a retry releases the holds of a batch whose process ended before the charges", async () => {
  const payer = await insertFastKey(5n * TEN_CENTS)
  const { accountId, keyId, token } = payer
  const body = { ...ASKED, states: states(5) }
  const key = requireWellFormed(await hashKey(runtime(), "k", payer, Buffer.from(JSON.stringify(body))))
  if (!key) throw new Error("there is a key")
  const crashed = newId()
  expect(await claimKey(runtime(), key, keyId, crashed)).toMatchObject({ outcome: "claimed" })
  const hold = { actor: payer, modelId: LEXICAL_BASELINE, pricePico: pico(100_000_000n), maxTokens: 1_000 }
  for (let i = 0; i < 4; i++) await placeHold(runtime(), { ...hold, id: idOfPart(crashed, i) })
  runtime().claims.end(crashed)
  await setLedgerClock("clock_timestamp() + interval '7 s'")
  expect(await send(token, body)).toEqual(FIRST)
  expect(await moneyOf(accountId)).toMatchObject({ balance: 0n, held: 0n, charges: 5 })
})
