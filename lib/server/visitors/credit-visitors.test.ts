import { beforeEach, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertAccount } from "@/test/insert-rows"
import { creditVisitors } from "./credit-visitors"

const DAY = new Date("2026-11-28T23:59:59Z")
const NEXT_DAY = new Date("2026-11-29T00:00:00Z")

await testRuntime()
let accountId: string
beforeEach(async () => {
  await runtime().pool.query("DELETE FROM ledger_source")
  accountId = (await insertAccount(0n)).accountId
})

const balance = async () =>
  (await runtime().pool.query("SELECT balance_pico FROM account WHERE id = $1", [accountId])).rows[0].balance_pico
const spend = () =>
  runtime().pool.query("SELECT post_entry($1, 'debit', -600000000000, $2, NULL)", [accountId, Math.random().toString()])

test("the account of visitors gets $1.00 once a UTC day, however many runs begin at once", async () => {
  await Promise.all([1, 2, 3, 4].map(() => creditVisitors(runtime(), accountId, DAY)))
  expect(await balance()).toBe("1000000000000")
  await spend()
  await creditVisitors(runtime(), accountId, DAY)
  expect(await balance()).toBe("400000000000")
  await creditVisitors(runtime(), accountId, NEXT_DAY)
  expect(await balance()).toBe("1400000000000")
  const { rows } = await runtime().pool.query(
    "SELECT kind, note FROM ledger_entry WHERE account_id = $1 AND kind = 'credit' ORDER BY id",
    [accountId],
  )
  expect(rows).toEqual([
    { kind: "credit", note: "Runs of visitors" },
    { kind: "credit", note: "Runs of visitors" },
  ])
  const audit = await runtime().pool.query(
    "SELECT actor, detail FROM audit_event WHERE account_id = $1 AND action = 'account.credit'",
    [accountId],
  )
  expect(audit.rows).toEqual([
    { actor: "system", detail: "$1.00" },
    { actor: "system", detail: "$1.00" },
  ])
})

test("credit that visitors did not use is not added to", async () => {
  await creditVisitors(runtime(), accountId, DAY)
  await creditVisitors(runtime(), accountId, NEXT_DAY)
  expect(await balance()).toBe("1000000000000")
})
