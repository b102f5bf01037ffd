import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { brokenChecks, drawnCharges, moneyOf } from "@/test/ledger-state"
import { type Spender, startSpendProcess } from "@/test/spender"

const PRICE = 100_000_000n
const TOKENS = 1_000
const COST = PRICE * BigInt(TOKENS)

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

const KINDS = ["account", "member", "tag"] as const
const TAG = "team=search"

/** Inserts an account with two keys, which share a budget for `requests`. A member created both. */
async function insertBudget(of: (typeof KINDS)[number], requests: bigint) {
  const { pool } = runtime()
  const { accountId } = await insertAccount(10n * requests * COST)
  const memberId = newId()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [memberId, `${memberId}@example.com`])
  const period = of === "account" ? "monthly" : "daily"
  const values = [
    newId(),
    accountId,
    of === "member" ? memberId : null,
    period,
    requests * COST,
    of === "tag" ? TAG : null,
  ]
  await pool.query("SELECT set_budget($1, $2, $3, $4, $5, $6)", values)
  const keys = [
    await insertKey(accountId, { createdBy: memberId }),
    await insertKey(accountId, { createdBy: memberId }),
  ]
  return { accountId, memberId, payers: keys.map(({ keyId }) => ({ accountId, keyId })) }
}

async function budgetOf(accountId: string): Promise<{ spent: bigint; held: bigint }> {
  const { rows } = await runtime().pool.query("SELECT spent_pico, held_pico FROM budget WHERE account_id = $1", [
    accountId,
  ])
  return { spent: BigInt(rows[0].spent_pico), held: BigInt(rows[0].held_pico) }
}

describe.each([
  { name: "with reserved credit", isKeyed: false },
  { name: "without reserved credit", isKeyed: true },
])("two processes $name, each with another key", ({ isKeyed }) => {
  const settings = {
    databaseUrl,
    modelId,
    pricePico: String(PRICE),
    maxTokens: TOKENS,
    tokens: TOKENS,
    isKeyed,
    tags: [TAG],
  }
  let spenders: Spender[]
  let bursts: Spender[]
  beforeAll(async () => {
    const start = (parallel: number) => Promise.all([1, 2].map(() => startSpendProcess({ ...settings, parallel })))
    spenders = await start(8)
    bursts = await start(500)
  })
  afterAll(() => Promise.all([...spenders, ...bursts].map((spender) => spender.end())))

  const spendAll = (all: Spender[], payers: Parameters<Spender["spend"]>[0][]) =>
    Promise.all(all.map((spender, at) => spender.spend(payers[at] ?? { accountId: "", keyId: "" })))

  it.each(KINDS)(
    "1,000 parallel requests on a budget of the %s for 300 are charged exactly 300 times",
    async (of) => {
      const { accountId, payers } = await insertBudget(of, 300n)
      expect(await spendAll(bursts, payers)).toEqual(["key_limit", "key_limit"])
      expect(bursts.flatMap(({ charged }) => charged)).toHaveLength(300)
      expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: 300 })
      expect(await budgetOf(accountId)).toEqual({ spent: 300n * COST, held: 0n })
      expect(await brokenChecks()).toEqual([])
    },
    150_000,
  )

  it.each(KINDS)(
    "a budget of the %s for 2,000 requests pays for exactly 2,000",
    async (of) => {
      const { accountId, payers } = await insertBudget(of, 2_000n)
      expect(await spendAll(spenders, payers)).toEqual(["key_limit", "key_limit"])
      expect(spenders.flatMap(({ charged }) => charged)).toHaveLength(2_000)
      expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: 2_000 })
      expect(await budgetOf(accountId)).toEqual({ spent: 2_000n * COST, held: 0n })
      // Many are paid from reserved credit, unless each request has a hold of its own.
      expect((await drawnCharges(accountId)) > 400).toBe(!isKeyed)
      expect(await brokenChecks()).toEqual([])
    },
    150_000,
  )
})
