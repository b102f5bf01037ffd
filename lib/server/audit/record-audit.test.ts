import { expect, test } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { VISITOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { recordAudit } from "./record-audit"

const app = await testRuntime()
const { accountId } = await createAccount(runtime(), VISITOR, { email: "ada@example.com" })

test("a row has the actor, the action, the address and the time", async () => {
  const before = Date.now()
  const actor = { ...VISITOR, userId: "u1", accountId, clientAddress: "192.0.2.7" } as const
  await recordAudit(app.pool, actor, { action: "account.limits", subject: accountId, detail: "25 per second" })
  const { rows } = await app.pool.query("SELECT * FROM audit_event WHERE action = 'account.limits'")
  expect(rows).toEqual([
    {
      id: expect.any(String),
      account_id: accountId,
      actor: "user:u1",
      action: "account.limits",
      subject: accountId,
      detail: "25 per second",
      client_address: "192.0.2.7",
      created_at: expect.any(Date),
    },
  ])
  expect(rows[0].created_at.getTime()).toBeGreaterThanOrEqual(before)
  expect(rows[0].created_at.getTime()).toBeLessThanOrEqual(Date.now())
})

test.each([
  "UPDATE audit_event SET actor = 'eve'",
  "UPDATE audit_event SET client_address = '192.0.2.1'",
  "DELETE FROM audit_event",
  "TRUNCATE audit_event",
  "TRUNCATE account CASCADE",
])("the database refuses %s", async (statement) => {
  const count = async () => (await app.pool.query("SELECT id, actor FROM audit_event ORDER BY id")).rows
  const before = await count()
  await expect(app.pool.query(statement)).rejects.toThrow("append-only")
  expect(await count()).toEqual(before)
})
