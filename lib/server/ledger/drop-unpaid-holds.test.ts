import { beforeEach, expect, test } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { DROP, dropUnpaidHolds } from "./drop-unpaid-holds"
import { capture, placeHold } from "./hold"
import { type HoldRef, release } from "./release-hold"
import { sweepHolds } from "./sweep-holds"
import { verifyLedger } from "./verify-ledger"

await testRuntime()
const modelId = await insertModel()
beforeEach(() => setLedgerClock())

const EIGHT_DAYS_AGO = "clock_timestamp() - interval '8 days'"
const SIX_DAYS_AGO = "clock_timestamp() - interval '6 days'"

async function newSpender() {
  const { accountId } = await insertAccount(1_000_000n)
  return { accountId, ...(await insertKey(accountId)) }
}

async function newHold(actor: { accountId: string; keyId: string }): Promise<HoldRef> {
  const hold = { id: newId(), accountId: actor.accountId }
  await placeHold({ id: hold.id, actor, modelId, pricePico: pico(1n), maxTokens: 10 })
  return hold
}

test("voided and expired holds are dropped after seven days, charges and open holds never", async () => {
  const actor = await newSpender()
  await setLedgerClock(EIGHT_DAYS_AGO)
  await release(await newHold(actor))
  await newHold(actor)
  const charged = await newHold(actor)
  await capture(charged, { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } })
  await setLedgerClock("clock_timestamp() - interval '8 days' + interval '151 s'")
  expect(await sweepHolds()).toBe(1)
  await setLedgerClock()
  await newHold(actor)
  expect((await moneyOf(actor.accountId)).states).toEqual(["voided", "expired", "captured", "held"])
  expect(await dropUnpaidHolds()).toBe(2)
  expect(await moneyOf(actor.accountId)).toEqual({
    balance: 999_997n,
    held: 10n,
    states: ["captured", "held"],
    charges: 1,
  })
  expect((await verifyLedger()).checks.filter(({ ok }) => !ok)).toEqual([])
})

test("a hold that ended six days ago stays", async () => {
  const actor = await newSpender()
  await setLedgerClock(SIX_DAYS_AGO)
  await release(await newHold(actor))
  await setLedgerClock()
  expect(await dropUnpaidHolds()).toBe(0)
  expect((await moneyOf(actor.accountId)).states).toEqual(["voided"])
})

test("a capture of a dropped hold charges nothing", async () => {
  const actor = await newSpender()
  await setLedgerClock(EIGHT_DAYS_AGO)
  const hold = await newHold(actor)
  await release(hold)
  await setLedgerClock()
  await dropUnpaidHolds()
  expect(await capture(hold, { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } })).toBe("unknown")
  expect(await moneyOf(actor.accountId)).toEqual({ balance: 1_000_000n, held: 0n, states: [], charges: 0 })
})

test("holds that a transaction has locked stay for the next run, and more than one batch is dropped", async () => {
  const actor = await newSpender()
  await setLedgerClock(EIGHT_DAYS_AGO)
  const holds = await Promise.all(Array.from({ length: 1_002 }, () => newHold(actor)))
  await Promise.all(holds.map((hold) => release(hold)))
  await setLedgerClock()
  const other = await runtime().pool.connect()
  await other.query("BEGIN")
  await other.query("SELECT 1 FROM hold WHERE id = $1 FOR UPDATE", [holds[0]?.id])
  expect(await dropUnpaidHolds()).toBe(1_001)
  await other.query("COMMIT")
  other.release()
  expect(await dropUnpaidHolds()).toBe(1)
})

test("a batch reads old holds by their index, however many charges there are", async () => {
  const client = await runtime().pool.connect()
  await client.query("BEGIN; SET LOCAL enable_seqscan = off")
  const { rows } = await client.query(`EXPLAIN ${DROP}`, [7, 1_000])
  await client.query("ROLLBACK")
  client.release()
  expect(JSON.stringify(rows)).toContain("hold_unpaid")
})
