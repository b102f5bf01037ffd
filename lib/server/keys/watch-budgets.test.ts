import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { testRuntime } from "@/test/database"
import { joinAccount, signUp } from "@/test/sign-up"
import { setBudget } from "./budgets"
import { saveSpentBudgets } from "./watch-budgets"

const { pool } = await testRuntime()

/** The addresses and the percentages of the mails of an account, oldest first. */
async function mailsOf(accountId: string): Promise<string[]> {
  const { rows } = await pool.query<{ mail: string }>(
    `SELECT u.email || ' ' || (q.facts ->> 'percent') AS mail FROM queued_mail q JOIN app_user u ON u.id = q.user_id
     WHERE q.account_id = $1 AND q.kind = 'budget_spent' ORDER BY q.created_at, 1`,
    [accountId],
  )
  return rows.map(({ mail }) => mail)
}

const spend = (accountId: string, pico: bigint) =>
  pool.query("UPDATE budget SET spent_pico = $2 WHERE account_id = $1", [accountId, pico])

test("an owner and the member get one mail at 50%, 80% and 100% of the member's budget, and again after a new limit", async () => {
  const owner = await signUp("ada@watch.example")
  const { accountId } = owner
  const { userId } = await joinAccount(owner, "developer", await signUp("grace@watch.example"))
  await joinAccount(owner, "developer", await signUp("eve@watch.example"))
  const budget = { of: publicId("usr", userId), tag: "", period: "daily" as const }
  await setBudget(runtime(), owner, { ...budget, limitUsd: "1" })

  const seen: [part: bigint, mails: string[]][] = []
  for (const part of [0n, 499_999_999_999n, 500_000_000_000n, 799_999_999_999n, 999_999_999_999n, 1_000_000_000_000n]) {
    await spend(accountId, part)
    await saveSpentBudgets(runtime(), [accountId])
    await saveSpentBudgets(runtime(), [accountId])
    seen.push([part, (await mailsOf(accountId)).slice(seen.flatMap(([, mails]) => mails).length)])
  }
  const both = (percent: number) => [`ada@watch.example ${percent}`, `grace@watch.example ${percent}`]
  expect(seen.map(([, mails]) => mails)).toEqual([[], [], both(50), [], both(80), both(100)])

  await setBudget(runtime(), owner, { ...budget, limitUsd: "2" })
  await saveSpentBudgets(runtime(), [accountId])
  expect((await mailsOf(accountId)).slice(-2)).toEqual(both(50))
})

test("the next period warns again, and a member who turned the mail off gets none", async () => {
  const owner = await signUp("ada@periods.example")
  const { accountId } = owner
  await setBudget(runtime(), owner, { of: "account", tag: "", period: "monthly", limitUsd: "1" })
  await spend(accountId, 1_000_000_000_000n)
  await saveSpentBudgets(runtime(), [accountId])
  await pool.query("UPDATE budget SET period_start = period_start + interval '40 d' WHERE account_id = $1", [accountId])
  await saveSpentBudgets(runtime(), [accountId])
  expect(await mailsOf(accountId)).toEqual(["ada@periods.example 100", "ada@periods.example 100"])

  await pool.query("UPDATE member SET muted_mail = '{budget_spent}' WHERE account_id = $1", [accountId])
  await setBudget(runtime(), owner, { of: "account", tag: "", period: "monthly", limitUsd: "0.5" })
  await saveSpentBudgets(runtime(), [accountId])
  expect(await mailsOf(accountId)).toHaveLength(2)
})

test("webhooks get the part of a budget that was spent, without the text of its tag", async () => {
  const owner = await signUp("ada@hooks.example")
  const { accountId } = owner
  await createEndpoint(runtime(), owner, { url: "https://hooks.example.com/", events: ["budget.spent"] })
  await setBudget(runtime(), owner, { of: "tag", tag: "team=search", period: "monthly", limitUsd: "1" })
  await spend(accountId, 812_000_000_000n)
  await saveSpentBudgets(runtime(), [accountId])
  const { rows } = await pool.query<{ body: string }>("SELECT body FROM webhook_delivery WHERE account_id = $1", [
    accountId,
  ])
  expect(rows.map(({ body }) => JSON.parse(body).data)).toEqual([
    {
      account_id: publicId("acc", accountId),
      budget_id: expect.stringMatching(/^bud_[0-9a-z]{26}$/),
      of: "tag",
      user_id: null,
      percent: 80,
      limit_usd: "1.000000000000",
      limit_period: "monthly",
      resets_at: expect.stringMatching(/^20\d\d-\d\d-01T00:00:00.000Z$/),
    },
  ])
})
