import { beforeEach, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, moneyOf, setLedgerClock } from "@/test/ledger-state"
import { dropSettledHolds } from "./drop-settled-holds"
import type { HoldRef } from "./held-request"
import { capture, placeHold, release } from "./hold"
import { sweepHolds } from "./sweep-holds"

await testRuntime()
const modelId = await insertModel()
beforeEach(() => setLedgerClock())

const FACTS = { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } }
const sql = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

const newSpender = () => insertPayer({ balancePico: 1_000_000n })

/** Sets the clock back, and creates the partitions of that day. */
async function goBack(days: number): Promise<void> {
  await setLedgerClock(`clock_timestamp() - interval '${days} days'`)
  await sql("SELECT add_partition(parent, since, until) FROM missing_partitions()")
}

/** Places `count` holds together, whose ids are of `days` ago. */
async function holdsOf(actor: { accountId: string; keyId: string }, days: number, count: number): Promise<HoldRef[]> {
  // In one statement, because many at once could wait too long for a connection.
  const rows = await sql("SELECT uuidv7($1 * interval '-1 day') AS id FROM generate_series(1, $2)", [days, count])
  // Keyed requests always have holds of their own. A grant that begins while the clock is set back would stay open after it.
  const place = ({ id }: { id: string }) =>
    placeHold(runtime(), { id, actor, modelId, pricePico: pico(1n), maxTokens: 10, isKeyed: true })
  await Promise.all(rows.map(place))
  return rows.map(({ id }) => ({ id, accountId: actor.accountId }))
}

async function holdOf(actor: { accountId: string; keyId: string }, days: number): Promise<HoldRef> {
  const [hold] = await holdsOf(actor, days, 1)
  if (!hold) throw new Error("a hold was not placed")
  return hold
}

const partitions = async () =>
  (await sql("SELECT name FROM partitions_of('hold', now()) WHERE since < now() - interval '3 days'")).length

test("holds are dropped a day at a time, seven days after they ended, and what they were charged stays", async () => {
  const actor = await newSpender()
  for (const days of [9, 6]) {
    await goBack(days)
    await release(runtime(), await holdOf(actor, days))
    await capture(runtime(), await holdOf(actor, days), FACTS)
  }
  await setLedgerClock()
  const before = await partitions()
  expect((await moneyOf(actor.accountId)).states).toEqual(["voided", "captured", "voided", "captured"])
  expect(await dropSettledHolds(runtime())).toBeGreaterThan(0)
  expect(await moneyOf(actor.accountId)).toEqual({
    balance: 999_994n,
    held: 0n,
    states: ["voided", "captured"],
    charges: 2,
  })
  expect(await partitions()).toBeLessThan(before)
  expect(await dropSettledHolds(runtime())).toBe(0)
  expect(await brokenChecks()).toEqual([])
})

test("a charge of a dropped hold is impossible: a capture returns unknown, and no entry can name it again", async () => {
  const actor = await newSpender()
  await goBack(9)
  const hold = await holdOf(actor, 9)
  await capture(runtime(), hold, FACTS)
  await setLedgerClock()
  await dropSettledHolds(runtime())
  expect(await capture(runtime(), hold, FACTS)).toBe("unknown")
  const again = `INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, tokens, price_pico)
    SELECT account_id, kind, amount_pico, balance_after_pico, hold_id, tokens, price_pico FROM ledger_entry WHERE hold_id = $1`
  await expect(sql(again, [hold.id])).rejects.toMatchObject({ code: "23503" })
  expect((await moneyOf(actor.accountId)).charges).toBe(1)
})

test("a day with an open hold stays until the hold is released, which happens first", async () => {
  const actor = await newSpender()
  await goBack(10)
  await holdOf(actor, 10)
  await setLedgerClock()
  // As if a sweep had missed it.
  await sql("INSERT INTO job_mark VALUES ('sweep holds', now()) ON CONFLICT (name) DO UPDATE SET done_until = now()")
  expect(await sweepHolds(runtime())).toBe(0)
  expect(await moneyOf(actor.accountId)).toMatchObject({ held: 10n, states: ["held"] })
  expect(await dropSettledHolds(runtime())).toBeGreaterThan(0)
  expect(await moneyOf(actor.accountId)).toMatchObject({ held: 0n, states: [] })
})

test("holds without a partition of their day are dropped from the default partition, except those in use", async () => {
  const actor = await newSpender()
  await setLedgerClock("clock_timestamp() - interval '40 days'")
  const holds = await holdsOf(actor, 40, 1_002)
  await Promise.all(
    holds.map((hold, i) => (i % 2 ? release(runtime(), hold) : capture(runtime(), hold, { ...FACTS, tokens: 1 }))),
  )
  await setLedgerClock()
  const count = async () => (await sql("SELECT count(*)::int AS n FROM hold_default"))[0].n
  expect(await count()).toBe(1_002)
  const other = await runtime().pool.connect()
  await other.query("BEGIN")
  await other.query("SELECT 1 FROM hold WHERE id = $1 FOR UPDATE", [holds[0]?.id])
  await dropSettledHolds(runtime())
  expect(await count()).toBe(1)
  await other.query("COMMIT")
  other.release()
  await dropSettledHolds(runtime())
  expect(await count()).toBe(0)
  expect(await brokenChecks()).toEqual([])
})

test("the end of a hold changes no index of its table", async () => {
  const actor = await newSpender()
  const client = await runtime().pool.connect()
  await client.query("BEGIN")
  const count = async () =>
    (
      await client.query(
        `SELECT sum(n_tup_upd)::int AS updated, sum(n_tup_hot_upd)::int AS hot FROM pg_stat_xact_user_tables WHERE relname LIKE 'hold\\_%'`,
      )
    ).rows[0]
  const before = await count()
  for (let i = 0; i < 20; i++) {
    const id = (await client.query("SELECT uuidv7() AS id")).rows[0].id
    await client.query("SELECT * FROM place_holds($1, $2, $3, $4, $5, $6)", [
      [id],
      [actor.accountId],
      [actor.keyId],
      [modelId],
      [1],
      [10],
    ])
    await client.query("SELECT * FROM charge_holds($1, $2, $3, $4)", [[id], [3], [1], [{ noul: 1 }]])
  }
  const after = await count()
  await client.query("ROLLBACK")
  client.release()
  expect([after.updated - before.updated, after.hot - before.hot]).toEqual([20, 20])
})
