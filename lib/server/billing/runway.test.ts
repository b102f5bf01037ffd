import { expect, test } from "vitest"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { ALL_KEYS, ALL_MODELS } from "@/lib/server/usage/spent"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { getRunway } from "./runway"

const USD = 1_000_000_000_000n
const runtime = await testRuntime({ WELCOME_CREDIT_USD: "1" })

let sources = 0
const post = ({ accountId }: UserActor, kind: "topup" | "debit" | "credit", usd: bigint) =>
  postEntry(runtime.pool, { accountId, kind, amountPico: pico(usd * USD), source: `r${++sources}` })
const spend = ({ accountId }: UserActor, usd: bigint, daysAgo: number) =>
  runtime.pool.query(
    `INSERT INTO usage_sum (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts, latency_counts)
     VALUES ($1, 'day', date_trunc('day', now(), 'UTC') - make_interval(days => $2), $3, $4, 1, 1, $5, '{}', '{}')`,
    [accountId, daysAgo, ALL_KEYS, ALL_MODELS, usd * USD],
  )

test("a low balance lasts as many days as the spend of the last 7 days says", async () => {
  const actor = await signUp()
  await post(actor, "topup", 99n)
  expect(await getRunway(runtime, actor)).toEqual({
    balanceUsd: "100.000000000000",
    level: "ok",
    days: null,
    rateDays: 7,
  })
  await post(actor, "debit", -92n)
  expect(await getRunway(runtime, actor)).toEqual({
    balanceUsd: "8.000000000000",
    level: "low",
    days: null,
    rateDays: 7,
  })
  await spend(actor, 10n, 0)
  await spend(actor, 4n, 6)
  await spend(actor, 1_000n, 7)
  expect(await getRunway(runtime, actor)).toEqual({ balanceUsd: "8.000000000000", level: "low", days: 4, rateDays: 7 })
  await post(actor, "debit", -8n)
  expect(await getRunway(runtime, actor)).toEqual({
    balanceUsd: "0.000000000000",
    level: "empty",
    days: null,
    rateDays: 7,
  })
})

test("an account that never topped up is not warned of its small balance, unless it lasts less than 30 days", async () => {
  const actor = await signUp()
  expect(await getRunway(runtime, actor)).toMatchObject({ level: "ok" })
  await spend(actor, 1n, 3)
  expect(await getRunway(runtime, actor)).toMatchObject({ level: "low", days: 4 })
  const slow = await signUp()
  await post(slow, "credit", 3n)
  await runtime.pool.query("UPDATE account SET low_balance_pico = $2 WHERE id = $1", [slow.accountId, 4n * USD])
  expect(await getRunway(runtime, slow)).toMatchObject({ level: "low", days: null })
})

test("the rate of a young account is that of the days since its first charge, today included", async () => {
  const actor = await signUp()
  await spend(actor, 1n, 0)
  expect(await getRunway(runtime, actor)).toMatchObject({ level: "low", days: 1, rateDays: 1 })
  await spend(actor, 1n, 2)
  expect(await getRunway(runtime, actor)).toMatchObject({ level: "low", days: 1, rateDays: 3 })
  await spend(actor, 1n, 40)
  expect(await getRunway(runtime, actor)).toMatchObject({ level: "low", days: 3, rateDays: 7 })
})
