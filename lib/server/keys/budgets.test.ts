import { expect, it } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { removeMember } from "@/lib/server/members/change-members"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertKey, insertModel, insertPayer } from "@/test/insert-rows"
import { joinAccount, signUp } from "@/test/sign-up"
import { listBudgets, removeBudget, setBudget } from "./budgets"

await testRuntime()
const modelId = await insertModel()

it("a request over a budget is refused with the limit and the reset of the tightest one, until it is removed", async () => {
  const owner = await signUp("ada@budgets.example")
  const { accountId, userId } = owner
  const { keyId } = await insertKey(accountId, { createdBy: userId })
  const ofMember = { of: publicId("usr", userId), tag: "", period: "daily" as const }
  const ofTag = { of: "tag", tag: "team=search", period: "monthly" as const }
  await setBudget(runtime(), owner, { of: "account", tag: "", period: "monthly", limitUsd: "0.03" })
  await setBudget(runtime(), owner, { ...ofMember, limitUsd: "0.02" })
  await setBudget(runtime(), owner, { ...ofTag, limitUsd: "0.01" })
  const budgets = await listBudgets(runtime(), owner)
  expect(budgets.map(({ member, tag, limitUsd }) => [member?.email, tag, limitUsd])).toEqual([
    [undefined, null, "0.030000000000"],
    [undefined, "team=search", "0.010000000000"],
    ["ada@budgets.example", null, "0.020000000000"],
  ])
  const resets = budgets.map(({ resetsAt }) => new Date(resetsAt))
  const request = { actor: { accountId, keyId }, modelId, pricePico: pico(1_000_000n), maxTokens: 25_000 }
  const place = (tags: string[]) => placeHold(runtime(), { ...request, id: newId(), tags })
  const refusal = { outcome: "key_limit" }
  expect(await place(["team=search"])).toEqual({ ...refusal, limitPico: 10_000_000_000n, resetsAt: resets[1] })
  expect(await place([])).toEqual({ ...refusal, limitPico: 20_000_000_000n, resetsAt: resets[2] })
  await removeBudget(runtime(), owner, ofMember)
  expect(await place([])).toEqual({ outcome: "held" })
  expect(await place([])).toEqual({ ...refusal, limitPico: 30_000_000_000n, resetsAt: resets[0] })
  await expect(removeBudget(runtime(), owner, ofMember)).rejects.toMatchObject({ code: "not_found" })
})

it("a person who is no member gets no budget", async () => {
  const [owner, other] = [await signUp("bea@budgets.example"), await signUp("eve@budgets.example")]
  const input = { of: publicId("usr", other.userId), tag: "", period: "daily" as const, limitUsd: "1" }
  await expect(setBudget(runtime(), owner, input)).rejects.toMatchObject({ code: "not_found" })
})

it("the budget of a member who left can be changed, because the member's keys still work", async () => {
  const owner = await signUp("cleo@budgets.example")
  const leaver = await joinAccount(owner, "developer")
  const ofLeaver = { of: publicId("usr", leaver.userId), tag: "", period: "daily" as const }
  await setBudget(runtime(), owner, { ...ofLeaver, limitUsd: "5" })
  await removeMember(runtime(), owner, { id: ofLeaver.of })
  await setBudget(runtime(), owner, { ...ofLeaver, limitUsd: "1" })
  const budgets = await listBudgets(runtime(), owner)
  expect(budgets).toMatchObject([{ member: { isMember: false }, limitUsd: "1.000000000000" }])
})

it("the audit log says what a budget limits", async () => {
  const owner = await signUp("dee@budgets.example")
  const subjects = [
    { of: "account", tag: "", period: "monthly" as const },
    { of: "tag", tag: "team=search", period: "daily" as const },
    { of: publicId("usr", owner.userId), tag: "", period: "daily" as const },
  ]
  for (const subject of subjects) {
    await setBudget(runtime(), owner, { ...subject, limitUsd: "5" })
    await removeBudget(runtime(), owner, subject)
  }
  const { lines } = await listAudit(runtime(), owner, { topic: "keys" })
  expect(lines.map(describeAudit)).toEqual([
    "Removed the daily budget of dee@budgets.example",
    "Set the budget of dee@budgets.example: daily $5",
    "Removed the budget of the tag team=search: daily",
    "Set the budget of the tag team=search: daily $5",
    "Removed the budget of the account: monthly",
    "Set the budget of the account: monthly $5",
  ])
})

it("a budget that is set after the clock was set back counts what is reserved", async () => {
  const { accountId, keyId } = await insertPayer()
  const id = newId()
  await placeHold(runtime(), { id, actor: { accountId, keyId }, modelId, pricePico: pico(1_000n), maxTokens: 10 })
  const { pool } = runtime()
  // The last sweep was an hour from now.
  await pool.query(
    `INSERT INTO job_mark VALUES ('sweep holds', now() + interval '1 hour')
     ON CONFLICT (name) DO UPDATE SET done_until = EXCLUDED.done_until`,
  )
  const set = "SELECT held_pico FROM set_budget($1, $2, NULL, 'monthly', 1000000)"
  expect((await pool.query(set, [newId(), accountId])).rows).toEqual([{ held_pico: "10000" }])
  await pool.query("DELETE FROM job_mark WHERE name = 'sweep holds'")
  const facts = { tokens: 4, latencyMs: 1, questionCounts: {} }
  expect(await capture(runtime(), { id, accountId }, facts)).toBe("captured")
  const left = await pool.query("SELECT spent_pico, held_pico FROM budget WHERE account_id = $1", [accountId])
  expect(left.rows).toEqual([{ spent_pico: "4000", held_pico: "0" }])
})
