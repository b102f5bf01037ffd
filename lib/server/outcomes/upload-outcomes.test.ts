import { expect, test } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepingAccount } from "@/test/keeping-account"
import { lateOutcome } from "@/test/verb-register"
import { uploadOutcomes } from "./upload-outcomes"

const { pool } = await testRuntime({ WELCOME_CREDIT_USD: "0" })
await insertModel("m")

const countOf = async (accountId: string): Promise<number> =>
  (await pool.query("SELECT FROM outcome WHERE account_id = $1", [accountId])).rowCount ?? 0

test("a user uploads outcomes of the own account only, and an entry of the audit log says so", async () => {
  const [one, other] = [await keepingAccount(), await keepingAccount()]
  const id = await one.ask()
  await expect(uploadOutcomes(runtime(), other.actor, lateOutcome(id))).rejects.toMatchObject({
    code: "invalid_request",
    param: "outcomes.0.request_id",
  })
  expect(await uploadOutcomes(runtime(), one.actor, lateOutcome(id))).toEqual({ stored: 1 })
  expect([await countOf(one.actor.accountId), await countOf(other.actor.accountId)]).toEqual([1, 0])
  const actionsOf = async ({ actor }: typeof one) =>
    (await listAudit(runtime(), actor)).lines.filter(({ action }) => action === "outcomes.upload").length
  expect([await actionsOf(one), await actionsOf(other)]).toEqual([1, 0])
})

test("uploads share the rate of reports, which is five in a second", async () => {
  const { actor, ask } = await keepingAccount()
  const id = await ask()
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, () => uploadOutcomes(runtime(), actor, lateOutcome(id))),
  )
  const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => reason.code)
  expect(refused.length).toBeGreaterThanOrEqual(2)
  expect(new Set(refused)).toEqual(new Set(["rate_limited"]))
})
