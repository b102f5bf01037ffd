import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { getStatement } from "@/lib/server/billing/get-statement"
import { sweepGrants } from "@/lib/server/ledger/grant-statements"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, drawnCharges, setLedgerClock } from "@/test/ledger-state"
import { ownerOf } from "@/test/sign-up"
import { startSpendProcess } from "@/test/spender"
import { getUsage } from "./get-usage"

const PRICE = 100_000_000n
const TOKENS = 300
/** How many charges each process confirms before it is killed. */
const CONFIRMED = 300
const SEARCH = ["env=prod", "team=search"]
const ADS = ["env=prod", "team=ads"]

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

const sql = async (text: string, ...values: unknown[]) => (await runtime().pool.query(text, values)).rows

const start = (tags: string[]) =>
  startSpendProcess({ databaseUrl, modelId, pricePico: String(PRICE), maxTokens: 1_000, tokens: TOKENS, tags })

const rollUp = (accountId: string, most: number) => sql("SELECT roll_up_usage($1, $2)", accountId, most)

/** Returns how many statements of other connections run. PostgreSQL finishes those of a killed process. */
async function otherStatements(): Promise<number> {
  const rows = await sql(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()",
  )
  return rows[0]?.n
}

/** Returns the ids and tags of the account's charges, and their sums by tag as the usage page and the statement show them. */
async function readLedger(accountId: string) {
  const rows = await sql("SELECT hold_id, tags FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", accountId)
  const charges = new Map<string, string[]>(rows.map(({ hold_id: id, tags }) => [id, tags]))
  const counts = new Map<string, number>()
  for (const tag of [...charges.values()].flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const sums = [...counts]
    .map(([tag, decisions]) => {
      const tokens = decisions * TOKENS
      return [tag, decisions, tokens, usd12(pico(PRICE * BigInt(tokens)))]
    })
    .sort()
  return { charges, sums }
}

async function shown(accountId: string) {
  const actor = ownerOf(accountId)
  const { tags } = await getUsage(runtime(), actor, { range: { days: 2 } })
  const { byTag } = await getStatement(runtime(), actor, { month: dayOf(new Date()).slice(0, 7) })
  return {
    usage: tags.map(({ tag, decisions, tokens, costUsd }) => [tag, decisions, tokens, costUsd]).sort(),
    statement: byTag
      .map(({ name, decisions, tokens, amountUsd }) => [name, decisions, tokens, amountUsd.replace("-", "")])
      .sort(),
  }
}

it("sums by tag are those of the ledger's charges after two processes were killed while their charges were added up", async () => {
  const payer = await insertPayer({ balancePico: 1_000_000_000_000_000n })
  const { accountId } = payer
  const spenders = await Promise.all([start(SEARCH), start(ADS)])
  for (const spender of spenders) void spender.spend(payer)
  while (spenders.some(({ charged }) => charged.length < CONFIRMED)) {
    await rollUp(accountId, 50)
    await sleep(20)
  }
  for (const { child } of spenders) child.kill("SIGKILL")
  await Promise.all(spenders.map(({ exited }) => exited))
  await expect.poll(otherStatements).toBe(0)
  expect(await drawnCharges(accountId)).toBeGreaterThan(100)

  const { charges, sums } = await readLedger(accountId)
  const confirmed = spenders.map(({ charged }) => charged.map((id) => charges.get(id)))
  expect(confirmed).toEqual([SEARCH, ADS].map((tags, at) => Array(spenders[at]?.charged.length).fill(tags)))
  expect(sums.map(([tag]) => tag)).toEqual(["env=prod", "team=ads", "team=search"])
  const expected = { usage: sums, statement: sums }
  expect(await shown(accountId)).toEqual(expected)

  await setLedgerClock("clock_timestamp() + interval '6 s'")
  await sweepGrants(runtime())
  await setLedgerClock("clock_timestamp() + interval '160 s'")
  await sweepHolds(runtime())
  await setLedgerClock()
  await rollUp(accountId, 1_000_000)
  expect(await shown(accountId)).toEqual(expected)
  expect(await brokenChecks()).toEqual([])
})
