import pg from "pg"
import { beforeEach, describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { capture, placeHold } from "./hold"
import { checkLedger, verifyLedger } from "./verify-ledger"

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

const sql = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

/** Changes rows that triggers and constraints protect, as someone with access to the database's files could. */
async function tamper(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query("SET session_replication_role = replica")
  await client.query(text, values)
  await client.end()
}

interface Payer {
  accountId: string
  keyId: string
}

const newPayer = (): Promise<Payer> => insertPayer({ limitPico: 1_000n, period: "daily" })

async function hold(actor: Payer): Promise<string> {
  const id = newId()
  await placeHold(runtime(), { id, actor, modelId, pricePico: pico(1n), maxTokens: 10 })
  return id
}

async function charge(actor: Payer): Promise<string> {
  const id = await hold(actor)
  await capture(runtime(), { id, accountId: actor.accountId }, { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } })
  return id
}

const failing = ({ checks }: { checks: { name: string; ok: boolean }[] }) =>
  checks.flatMap(({ name, ok }) => (ok ? [] : [name]))

const balance = "balance is the sum of the account's ledger"
const chain = "each entry continues the balance of the entry before"
const once = "a captured hold has exactly one charge of tokens times price"
const reserved = "an account's reserved amount is the sum of its open holds"
const named = "holds and entries refer to existing rows"

it("a check of everything finds holds and entries that refer to missing rows", async () => {
  const [open, charged, other] = [await newPayer(), await newPayer(), await newPayer()]
  const [openId, chargedId] = [await hold(open), await charge(charged)]
  const client = new pg.Client(databaseUrl)
  await client.connect()
  /** Returns what is found after a change that no trigger or constraint sees, as after a bad restore. */
  const foundAfter = async (change: string, ...values: unknown[]) => {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica")
    await client.query(change, values)
    const checks = await checkLedger(client)
    await client.query("ROLLBACK")
    return failing({ checks })
  }
  for (const [change, ...values] of [
    ["DELETE FROM api_key WHERE id = $1", open.keyId],
    ["DELETE FROM api_key WHERE id = $1", charged.keyId],
    ["UPDATE api_key SET account_id = $2 WHERE id = $1", charged.keyId, other.accountId],
    ["DELETE FROM account WHERE id = $1", charged.accountId],
    ["DELETE FROM account WHERE id = $1", open.accountId],
    ["DELETE FROM model WHERE id = $1", modelId],
    ["DELETE FROM hold WHERE id = $1", chargedId],
    ["UPDATE hold SET model_id = 'gone' WHERE id = $1", openId],
    ["UPDATE ledger_entry SET model_id = 'gone' WHERE hold_id = $1", chargedId],
  ] as const)
    expect([change, await foundAfter(change, ...values)]).toEqual([change, [named]])
  expect(await foundAfter("DELETE FROM ledger_entry WHERE hold_id = $1", chargedId)).toContain(once)
  expect(await foundAfter("DELETE FROM hold WHERE id = $1", openId)).toContain(reserved)
  expect(await foundAfter("SELECT 1")).toEqual([])
  await client.end()
})

describe("ledger verify after a checkpoint", () => {
  let payer: Payer
  let chargedBefore: string
  beforeEach(async () => {
    payer = await newPayer()
    chargedBefore = await charge(payer)
    await rollUpUsage(runtime())
    expect((await verifyLedger(runtime(), { all: true })).since).toBeNull()
    await charge(payer)
  })

  it("checks what came since, is ok, and becomes the next checkpoint", async () => {
    const first = await verifyLedger(runtime())
    expect([first.ok, first.since]).toEqual([true, expect.any(Date)])
    await rollUpUsage(runtime())
    await charge(payer)
    await hold(payer)
    const second = await verifyLedger(runtime())
    expect([second.ok, second.since && first.since && second.since > first.since]).toEqual([true, true])
    const stored = await sql("SELECT since FROM ledger_checkpoint ORDER BY id DESC LIMIT 1")
    expect(stored).toEqual([{ since: second.since }])
  })

  it.each([
    ["a balance", "UPDATE account SET balance_pico = balance_pico + $2 WHERE id = $1", [balance]],
    ["a reserved amount", "UPDATE account SET held_pico = held_pico + $2 WHERE id = $1", [reserved]],
    [
      "an entry's amount",
      "UPDATE ledger_entry SET amount_pico = amount_pico + $2, tokens = tokens - 1 WHERE account_id = $1 AND id = (SELECT max(id) FROM ledger_entry)",
      [balance, chain, once],
    ],
    [
      "an entry's balance",
      "UPDATE ledger_entry SET balance_after_pico = balance_after_pico + $2 WHERE account_id = $1 AND id = (SELECT max(id) FROM ledger_entry)",
      [chain],
    ],
    [
      "a key's spend",
      "UPDATE api_key SET spent_pico = spent_pico + $2 WHERE account_id = $1 AND kind = 'secret'",
      ["a key's spend is the sum of its charges in its period"],
    ],
    [
      "a sum of usage",
      "UPDATE usage_sum SET cost_pico = cost_pico + $2 WHERE account_id = $1 AND unit = 'day'",
      ["usage sums equal the charges", "usage sums by hour equal those by day"],
    ],
  ])("finds a change of %s", async (_what, change, names) => {
    await tamper(change, [payer.accountId, 1])
    const found = await verifyLedger(runtime())
    await tamper(change.replace("tokens - 1", "tokens + 1"), [payer.accountId, -1])
    expect(found.ok).toBe(false)
    expect(failing(found)).toEqual(expect.arrayContaining(names))
    expect((await verifyLedger(runtime())).ok).toBe(true)
  })

  it.each([
    ["a revoked key", "UPDATE api_key SET revoked_at = $2"],
    ["a paused key", "UPDATE api_key SET paused_at = $2"],
    ["an expired key", "UPDATE api_key SET expires_at = $2"],
    ["an inactive account", "UPDATE account SET inactive_since = $2"],
  ])("finds a charge of %s that was reserved over two seconds after its end", async (_what, end) => {
    const [{ made }] = await sql("SELECT max(created_at) AS made FROM hold WHERE account_id = $1", [payer.accountId])
    const column = end.startsWith("UPDATE account") ? "id" : "account_id"
    const endAt = (ms: number | null) =>
      tamper(`${end} WHERE ${column} = $1`, [payer.accountId, ms === null ? null : new Date(made.getTime() - ms)])
    await endAt(1_998)
    expect((await verifyLedger(runtime())).ok).toBe(true)
    await endAt(2_001)
    const found = await verifyLedger(runtime())
    await endAt(null)
    expect(failing(found)).toEqual(["no charge was reserved over 2 s after its key or account ended"])
  })

  it("finds a removed entry, a second charge of a hold, and a missing hold", async () => {
    const last = "(SELECT max(id) FROM ledger_entry)"
    const columns =
      "account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico, created_at"
    const [{ hold_id: hold }] = await sql(`SELECT hold_id FROM ledger_entry WHERE id = ${last}`)
    await tamper(`INSERT INTO ledger_entry (${columns}) SELECT ${columns} FROM ledger_entry WHERE id = ${last}`)
    expect(failing(await verifyLedger(runtime()))).toContain(once)
    await tamper(`DELETE FROM ledger_entry WHERE id = ${last}`)
    expect((await verifyLedger(runtime())).ok).toBe(true)
    await charge(payer)
    await tamper(`DELETE FROM ledger_entry WHERE id = ${last}`)
    expect(failing(await verifyLedger(runtime()))).toContain(balance)
    await tamper("UPDATE account SET balance_pico = balance_pico + 3 WHERE id = $1", [payer.accountId])
    await tamper("UPDATE api_key SET spent_pico = spent_pico - 3 WHERE id = $1", [payer.keyId])
    expect(failing(await verifyLedger(runtime()))).toEqual([once])
    await tamper(
      "DELETE FROM hold WHERE state = 'captured' AND id NOT IN (SELECT hold_id FROM ledger_entry WHERE hold_id IS NOT NULL)",
    )
    await tamper("DELETE FROM charged_hold WHERE hold_id NOT IN (SELECT id FROM hold)")
    expect((await verifyLedger(runtime())).ok).toBe(true)
    expect(hold).not.toBeNull()
  })

  it("reads no sums of the days before it, whose changes --all finds", async () => {
    const columns =
      "account_id, key_id, model_id, unit, start, decisions, tokens, cost_pico, question_counts, latency_counts"
    const older = `INSERT INTO usage_sum (${columns}) SELECT account_id, key_id, model_id, unit, start - interval '3 days', 1, 1, 1, '{}', '{}'
      FROM usage_sum WHERE account_id = $1 AND unit = 'day'`
    await tamper(older, [payer.accountId])
    expect(await verifyLedger(runtime())).toMatchObject({ ok: true, since: expect.any(Date) })
    expect(failing(await verifyLedger(runtime(), { all: true }))).toContain("usage sums equal the charges")
    await tamper("DELETE FROM usage_sum WHERE account_id = $1 AND start < now() - interval '2 days'", [payer.accountId])
  })

  it("finds the same change of hourly and daily sums", async () => {
    const change = "UPDATE usage_sum SET cost_pico = cost_pico + $2 WHERE account_id = $1"
    await tamper(change, [payer.accountId, 1])
    expect(failing(await verifyLedger(runtime()))).toEqual(["usage sums equal the charges"])
    await tamper(change, [payer.accountId, -1])
  })

  it("misses a change before it, which --all finds", async () => {
    const change = "UPDATE ledger_entry SET balance_after_pico = balance_after_pico + $2 WHERE hold_id = $1"
    await tamper(change, [chargedBefore, 1])
    expect((await verifyLedger(runtime())).ok).toBe(true)
    expect(failing(await verifyLedger(runtime(), { all: true }))).toEqual([chain])
    // The failed check is no checkpoint.
    expect((await verifyLedger(runtime())).since).not.toBeNull()
    await tamper(change, [chargedBefore, -1])
  })

  it.each([
    ["an anchor", "UPDATE account_anchor SET balance_pico = balance_pico + 1"],
    ["a key's anchor", "UPDATE key_anchor SET spent_pico = spent_pico + 1"],
    ["the digest", "UPDATE ledger_checkpoint SET digest = 'x'"],
    ["the signature", "UPDATE ledger_checkpoint SET signature = repeat('0', 64)"],
    ["the time", "UPDATE ledger_checkpoint SET checked_at = checked_at - interval '1 s'"],
  ])("checks everything once %s was changed", async (_what, change) => {
    expect((await verifyLedger(runtime())).since).not.toBeNull()
    await tamper(change)
    expect(await verifyLedger(runtime())).toMatchObject({ ok: true, since: null })
    expect((await verifyLedger(runtime())).since).not.toBeNull()
  })

  it("accepts a checkpoint of the secret before a rotation, and of no other", async () => {
    const { env } = runtime()
    const { AUTH_SECRET } = env
    Object.assign(env, { AUTH_SECRET: "another-secret-of-32-characters-or-more", AUTH_SECRET_PREVIOUS: AUTH_SECRET })
    expect((await verifyLedger(runtime())).since).not.toBeNull()
    Object.assign(env, { AUTH_SECRET, AUTH_SECRET_PREVIOUS: undefined })
    expect((await verifyLedger(runtime())).since).toBeNull()
  })
})
