import { describe, expect, it } from "vitest"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { ONE_NOUL } from "@/test/decide-directly"
import { insertKey, insertPayer } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n

const scripted = scriptedService()

/** Sends one request with a key. Returns its status and, for a refusal, its code and billing members. */
async function ask(token: string) {
  const response = await scripted.service.decide(token, ONE_NOUL)
  if (response.status === 200) return { status: 200 }
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  const { message: _message, type, ...rest } = error
  return { status: response.status, type, ...rest }
}

const refusedBy = (code: string, members: object) => ({ status: 402, type: "billing_error", code, ...members })

describe("a key's spend limit", () => {
  const newPayer = (limitPico: bigint, period?: "daily") =>
    insertPayer({ balancePico: 100n * TEN_CENTS, limitPico, period })

  it("per day resets at midnight UTC, and a request in flight over midnight counts in the new day", async () => {
    const { accountId, token } = await newPayer(2n * TEN_CENTS, "daily")
    const limit = (resets_at: string) => refusedBy("key_limit_reached", { limit_usd: "0.200000", resets_at })
    await setLedgerClock("timestamptz '2026-11-20 23:59:59.999Z'")
    expect(await ask(token)).toEqual({ status: 200 })
    const overnight = gate()
    scripted.engine.waitBeforeAnswer = overnight.wait
    const inFlight = ask(token)
    await expect.poll(() => scripted.engine.working).toBe(1)
    scripted.engine.waitBeforeAnswer = () => {}
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
    const { accountId, token } = await newPayer(TEN_CENTS)
    expect(await ask(token)).toEqual({ status: 200 })
    await setLedgerClock("clock_timestamp() + interval '400 days'")
    expect(await ask(token)).toEqual(refusedBy("key_limit_reached", { limit_usd: "0.100000", resets_at: null }))
    const other = await insertKey(accountId)
    expect(await ask(other.token)).toEqual({ status: 200 })
  })

  it("regains what a request reserved but did not use", async () => {
    const { token } = await newPayer(TEN_CENTS + 1n)
    scripted.engine.usedTokens = 0
    expect(await ask(token)).toEqual({ status: 200 })
    expect(await ask(token)).toEqual({ status: 200 })
  })
})

describe("the balance", () => {
  const short = (required_usd: string, available_usd: string) =>
    refusedBy("insufficient_balance", { required_usd, available_usd, topup_url: null })
  const keyWith = async (balancePico: bigint) => (await insertPayer({ balancePico })).token

  it("may be one cent short of the reserved amount and no pico-dollar more; a charge may leave it negative", async () => {
    const token = await keyWith(TEN_CENTS - 10_000_000_000n)
    expect(await ask(token)).toEqual({ status: 200 })
    expect(await ask(token)).toEqual(short("0.100000", "-0.010000"))
    expect(await ask(await keyWith(TEN_CENTS - 10_000_000_001n))).toEqual(short("0.100000", "0.089999"))
  })

  it("excludes what requests in flight have reserved", async () => {
    const token = await keyWith(TEN_CENTS + 50_000_000_000n)
    const { wait, open } = gate()
    scripted.engine.waitBeforeAnswer = wait
    const inFlight = ask(token)
    await expect.poll(() => scripted.engine.working).toBe(1)
    expect(await ask(token)).toEqual(short("0.100000", "0.050000"))
    open()
    expect(await inFlight).toEqual({ status: 200 })
  })

  it("is rounded down and the required amount is rounded up, below zero too", async () => {
    const { accountId, token } = await insertPayer({ balancePico: 0n })
    await postEntry(runtime().pool, { accountId, kind: "debit", amountPico: pico(-1n), source: `d:${accountId}` })
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(1n) })
    await loadCatalogue(runtime())
    scripted.engine.maxTokens = 1
    expect(await ask(token)).toEqual(short("0.000001", "-0.000001"))
  })

  it("of zero buys nothing, not even a free request; a pico-dollar does", async () => {
    Object.assign(scripted.engine, { maxTokens: 0, usedTokens: 0 })
    expect(await ask(await keyWith(0n))).toEqual(short("0.000000", "0.000000"))
    expect(await ask(await keyWith(1n))).toEqual({ status: 200 })
  })
})
