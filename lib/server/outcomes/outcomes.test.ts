import { expect, test } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { closeAccount } from "@/lib/server/closing/close-account"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepingAccount } from "@/test/keeping-account"
import { signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { dropOutcomes } from "./drop-outcomes"
import { getOutcomeSwitch, keepOutcomes } from "./keep-outcomes"
import { storeOutcomes } from "./store-outcomes"

const app = await testRuntime({ WELCOME_CREDIT_USD: "0", RETENTION_DAYS: "30" })
await insertModel("m")
const { pool } = app

/** Signs up an account that keeps outcomes. Returns its owner, and an id of a charged request with two yes/no questions. */
async function keeping() {
  const { actor, ask } = await keepingAccount()
  return { actor, id: await ask() }
}

const item = (id: string, question = "late") =>
  ({ request_id: id, question, type: "noul", predicted: 0.5, outcome: true }) as const
const countOf = async (accountId: string): Promise<number> =>
  (await pool.query("SELECT FROM outcome WHERE account_id = $1", [accountId])).rowCount ?? 0
const switchesOf = async (accountId: string): Promise<number> =>
  (await pool.query("SELECT FROM outcome_switch WHERE account_id = $1", [accountId])).rowCount ?? 0

test("keeping is off at first, and each change leaves one entry in the audit log", async () => {
  const actor = await signUp()
  expect(await getOutcomeSwitch(runtime(), actor)).toEqual({ isOn: false })
  for (const isOn of [false, true, true, false, false]) {
    await keepOutcomes(runtime(), actor, { isOn })
    expect(await getOutcomeSwitch(runtime(), actor)).toEqual({ isOn })
  }
  const { lines } = await listAudit(runtime(), actor)
  const actions = lines.map(({ action }) => action).filter((action) => action.endsWith("_outcomes"))
  expect(actions).toEqual(["account.drop_outcomes", "account.keep_outcomes"])
})

test("turning it off erases the account's outcomes, and those of no other account", async () => {
  const [one, other] = [await keeping(), await keeping()]
  for (const { actor, id } of [one, other])
    await storeOutcomes(runtime(), actor, { outcomes: [item(id), item(id, "lost")] })
  await keepOutcomes(runtime(), one.actor, { isOn: false })
  expect([await countOf(one.actor.accountId), await countOf(other.actor.accountId)]).toEqual([0, 2])
  await keepOutcomes(runtime(), one.actor, { isOn: true })
  expect(await countOf(one.actor.accountId)).toBe(0)
})

test("an outcome that is being stored while keeping is turned off does not stay", async () => {
  const { actor, id } = await keeping()
  await meanwhile(
    () => keepOutcomes(runtime(), actor, { isOn: false }),
    async (client) => {
      await client.query("SELECT FROM outcome_switch WHERE account_id = $1 FOR SHARE", [actor.accountId])
      await client.query(
        `INSERT INTO outcome (account_id, request_id, question, type, model_id, predicted, outcome, known_at)
         VALUES ($1, $2, 'late', 'noul', 'm', 0.5, 1, now())`,
        [actor.accountId, newId()],
      )
    },
  )
  expect(await countOf(actor.accountId)).toBe(0)
  await expect(storeOutcomes(runtime(), actor, { outcomes: [item(id)] })).rejects.toMatchObject({
    code: "invalid_request",
  })
})

test("an erasure that was interrupted is finished by the job, and before keeping is on again", async () => {
  const [one, other] = [await keeping(), await keeping()]
  for (const { actor, id } of [one, other]) {
    await storeOutcomes(runtime(), actor, { outcomes: [item(id)] })
    await pool.query("UPDATE outcome_switch SET is_on = false WHERE account_id = $1", [actor.accountId])
  }
  await keepOutcomes(runtime(), one.actor, { isOn: true })
  expect([await countOf(one.actor.accountId), await countOf(other.actor.accountId)]).toEqual([0, 1])
  await dropOutcomes(runtime())
  expect(await countOf(other.actor.accountId)).toBe(0)
  expect([await switchesOf(one.actor.accountId), await switchesOf(other.actor.accountId)]).toEqual([1, 0])
})

test("outcomes are dropped once they were stored for the days of retention", async () => {
  const { actor, id } = await keeping()
  await storeOutcomes(runtime(), actor, { outcomes: [item(id), item(id, "lost")] })
  await pool.query(
    "UPDATE outcome SET stored_at = now() - interval '32 days' WHERE account_id = $1 AND question = 'lost'",
    [actor.accountId],
  )
  await dropOutcomes(runtime())
  const { rows } = await pool.query("SELECT question FROM outcome WHERE account_id = $1", [actor.accountId])
  expect(rows).toEqual([{ question: "late" }])
})

test("closing the account and deleting its only user erase its outcomes", async () => {
  const [one, other] = [await keeping(), await keeping()]
  for (const { actor, id } of [one, other]) await storeOutcomes(runtime(), actor, { outcomes: [item(id)] })
  await closeAccount(runtime(), one.actor, { name: one.actor.email })
  await deleteUser(runtime(), other.actor, { email: other.actor.email })
  for (const { actor } of [one, other])
    expect([await countOf(actor.accountId), await switchesOf(actor.accountId)]).toEqual([0, 0])
})
