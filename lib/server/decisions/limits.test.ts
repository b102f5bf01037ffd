import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate, type ScriptedEngine, scriptedEngine } from "@/test/scripted-engine"
import { type TestService, testService } from "@/test/service"

const TEN_CENTS = 100_000_000_000n
const BODY = { model: ALIAS, state: "s", questions: { q: { type: "noul", instructions: "i" } } }

let service: TestService
let engine: ScriptedEngine
beforeAll(async () => {
  service = await testService()
  engine = await scriptedEngine()
})
afterEach(async () => {
  engine.maxTokens = engine.usedTokens = 1_000
  engine.waitBeforeAnswer = () => {}
  await setLedgerClock()
  expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
})

/** Sends one request with a key. Returns its status and, for a refusal, its code and billing members. */
async function ask(token: string) {
  const response = await service.decide(token, BODY)
  if (response.status === 200) return { status: 200 }
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  const { message: _message, type, ...rest } = error
  return { status: response.status, type, ...rest }
}

const refusedBy = (code: string, members: object) => ({ status: 402, type: "billing_error", code, ...members })

describe("a key's spend limit", () => {
  it("per day resets at midnight UTC, and a request in flight over midnight counts in the new day", async () => {
    const { accountId } = await insertAccount(100n * TEN_CENTS)
    const { token } = await insertKey(accountId, { limitPico: 2n * TEN_CENTS, period: "daily" })
    const limit = (resets_at: string) => refusedBy("key_limit_reached", { limit_usd: "0.200000", resets_at })
    await setLedgerClock("timestamptz '2026-11-20 23:59:59.999Z'")
    expect(await ask(token)).toEqual({ status: 200 })
    const overnight = gate()
    engine.waitBeforeAnswer = overnight.wait
    const inFlight = ask(token)
    await expect.poll(() => engine.working).toBe(1)
    engine.waitBeforeAnswer = () => {}
    expect(await ask(token)).toEqual(limit("2026-11-21T00:00:00.000Z"))
    await setLedgerClock("timestamptz '2026-11-21 00:00:00Z'")
    expect(await ask(token)).toEqual({ status: 200 })
    expect(await ask(token)).toEqual(limit("2026-11-22T00:00:00.000Z"))
    overnight.open()
    expect(await inFlight).toEqual({ status: 200 })
    expect(await ask(token)).toEqual(limit("2026-11-22T00:00:00.000Z"))
    expect(await moneyOf(accountId)).toMatchObject({ balance: 97n * TEN_CENTS, held: 0n, charges: 3 })
  })

  it("for a lifetime never resets", async () => {
    const { accountId } = await insertAccount(100n * TEN_CENTS)
    const { token } = await insertKey(accountId, { limitPico: TEN_CENTS })
    expect(await ask(token)).toEqual({ status: 200 })
    await setLedgerClock("clock_timestamp() + interval '400 days'")
    expect(await ask(token)).toEqual(refusedBy("key_limit_reached", { limit_usd: "0.100000", resets_at: null }))
    const other = await insertKey(accountId)
    expect(await ask(other.token)).toEqual({ status: 200 })
  })

  it("has no tolerance, and is shown rounded down to a micro-dollar", async () => {
    const { accountId } = await insertAccount(100n * TEN_CENTS)
    const { token } = await insertKey(accountId, { limitPico: TEN_CENTS - 1n })
    expect(await ask(token)).toEqual(refusedBy("key_limit_reached", { limit_usd: "0.099999", resets_at: null }))
  })

  it("regains what a request reserved but did not use", async () => {
    const { accountId } = await insertAccount(100n * TEN_CENTS)
    const { token } = await insertKey(accountId, { limitPico: TEN_CENTS + 1n })
    engine.usedTokens = 0
    expect(await ask(token)).toEqual({ status: 200 })
    expect(await ask(token)).toEqual({ status: 200 })
  })
})

describe("the balance", () => {
  const short = (required_usd: string, available_usd: string) =>
    refusedBy("insufficient_balance", { required_usd, available_usd, topup_url: null })
  const keyWith = async (balance: bigint) => (await insertKey((await insertAccount(balance)).accountId)).token

  it("may be one cent short of the reserved amount and no pico-dollar more; a charge may leave it negative", async () => {
    const token = await keyWith(TEN_CENTS - 10_000_000_000n)
    expect(await ask(token)).toEqual({ status: 200 })
    expect(await ask(token)).toEqual(short("0.100000", "-0.010000"))
    expect(await ask(await keyWith(TEN_CENTS - 10_000_000_001n))).toEqual(short("0.100000", "0.089999"))
  })

  it("excludes what requests in flight have reserved", async () => {
    const token = await keyWith(TEN_CENTS + 50_000_000_000n)
    const { wait, open } = gate()
    engine.waitBeforeAnswer = wait
    const inFlight = ask(token)
    await expect.poll(() => engine.working).toBe(1)
    expect(await ask(token)).toEqual(short("0.100000", "0.050000"))
    open()
    expect(await inFlight).toEqual({ status: 200 })
  })

  it("is rounded down and the required amount is rounded up, below zero too", async () => {
    const { accountId } = await insertAccount(0n)
    const { token } = await insertKey(accountId)
    await postEntry(service.runtime.pool, { accountId, kind: "debit", amountPico: pico(-1n), source: `d:${accountId}` })
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(1n) })
    await loadCatalogue(runtime())
    engine.maxTokens = 1
    expect(await ask(token)).toEqual(short("0.000001", "-0.000001"))
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(100_000_000n) })
    await loadCatalogue(runtime())
  })

  it("of zero buys nothing, not even a free request; a pico-dollar does", async () => {
    engine.maxTokens = engine.usedTokens = 0
    expect(await ask(await keyWith(0n))).toEqual(short("0.000000", "0.000000"))
    expect(await ask(await keyWith(1n))).toEqual({ status: 200 })
  })

  it("is checked after the key's limit", async () => {
    const { accountId } = await insertAccount(0n)
    const { token } = await insertKey(accountId, { limitPico: 1n })
    expect(await ask(token)).toMatchObject({ code: "key_limit_reached" })
  })
})
