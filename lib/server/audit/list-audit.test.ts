import { expect, test, vi } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import { operatorFor, systemFor, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsd, pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { describeAudit, listAudit } from "./list-audit"
import { recordAudit } from "./record-audit"
import { ListAuditInput } from "./schema"

const app = await testRuntime()

const newActor = async (email: string): Promise<UserActor> => ({
  ...(await signUp(email, "192.0.2.1")),
  clientAddress: "192.0.2.7",
})

test("the log describes each action, its author and address, newest first", async () => {
  const actor = await newActor("ada@example.com")
  const { id } = await createKey(runtime(), actor, { name: "Production", limit: null, expiresAt: null })
  await revokeKey(runtime(), actor, { id })
  await adjustBalance(runtime(), operatorFor(actor.accountId), {
    kind: "credit",
    amountPico: parseUsd("5") ?? pico(0),
    note: "a secret note",
  })
  const top = publicId("top", newId())
  await recordAudit(app.pool, operatorFor(actor.accountId), {
    action: "topup.refund",
    subject: `${top} a secret note`,
  })
  const { lines, next } = await listAudit(runtime(), actor)
  expect(next).toBeNull()
  expect(lines.map((line) => [describeAudit(line), line.by, line.clientAddress])).toEqual([
    ["Requested the refund of a top-up", "Operator", null],
    ["Added credit", "Operator", null],
    ["Revoked the key “Production”", "ada@example.com", "192.0.2.7"],
    ["Created the key “Production”", "ada@example.com", "192.0.2.7"],
    ["Created the account", "ada@example.com", "192.0.2.1"],
  ])
  expect(lines.map(({ subject }) => subject)).toEqual([top, null, id, id, null])
  expect(JSON.stringify(lines)).not.toContain("secret note")
  const keys = await listAudit(runtime(), actor, { topic: "keys" })
  expect(keys.lines.map(({ action }) => action)).toEqual(["key.revoke", "key.create"])
  expect((await listAudit(runtime(), actor, { topic: "billing" })).lines).toHaveLength(2)
  expect((await listAudit(runtime(), actor, { topic: "sign-ins" })).lines).toHaveLength(1)
})

test("an operator's changes of an account's rates, status and warning are in a topic", async () => {
  const actor = await newActor("frank@example.com")
  for (const action of ["account.limits", "account.suspend", "account.resume", "account.warn_at"] as const)
    await recordAudit(app.pool, operatorFor(actor.accountId), { action })
  const actionsIn = async (topic: "members" | "billing") =>
    (await listAudit(runtime(), actor, { topic })).lines.map(({ action }) => action)
  expect(await actionsIn("members")).toEqual(["account.resume", "account.suspend", "account.limits"])
  expect(await actionsIn("billing")).toEqual(["account.warn_at"])
})

test("pages of 50 have no gap and no repetition while rows are added", async () => {
  const actor = await newActor("bob@example.com")
  for (let i = 1; i < 120; i++)
    await recordAudit(app.pool, systemFor(actor.accountId), { action: "key.create", detail: `${i}` })
  const first = await listAudit(runtime(), actor)
  await recordAudit(app.pool, systemFor(actor.accountId), { action: "key.create", detail: "late" })
  const second = await listAudit(runtime(), actor, { before: first.next })
  const third = await listAudit(runtime(), actor, { before: second.next })
  const details = [first, second, third].flatMap(({ lines }) => lines.map(({ detail }) => detail))
  expect(details).toEqual([...Array.from({ length: 119 }, (_, i) => String(119 - i)), null])
  expect([first.lines.length, second.lines.length, third.lines.length, third.next]).toEqual([50, 50, 20, null])
})

test("an account sees only its own rows, and an invalid cursor shows the newest page", async () => {
  const [mine, theirs] = [await newActor("carol@example.com"), await newActor("eve@example.com")]
  const { id } = await createKey(runtime(), mine, { name: "Mine", limit: null, expiresAt: null })
  // A row of another account that refers to this key does not show its name.
  await recordAudit(app.pool, systemFor(theirs.accountId), { action: "key.revoke", subject: id })
  const { lines } = await listAudit(runtime(), theirs, ListAuditInput.parse({ before: "'; DROP TABLE audit_event" }))
  expect(lines.map((line) => describeAudit(line))).toEqual(["Revoked a key", "Created the account"])
})

test("a page is read from its indexes, however many users the service has", async () => {
  const actor = await newActor("heidi@example.com")
  await app.pool.query(
    "INSERT INTO app_user (id, email) SELECT gen_random_uuid(), 'user-' || n || '@example.com' FROM generate_series(1, 2000) AS n",
  )
  await app.pool.query("ANALYZE app_user")
  const query = vi.spyOn(app.pool, "query")
  await listAudit(runtime(), actor)
  const statements = query.mock.calls.map(([sent]) => sent as unknown as { text: string; values: unknown[] })
  query.mockRestore()
  const plans = statements.map(async ({ text, values }) => (await app.pool.query(`EXPLAIN ${text}`, values)).rows)
  const plan = JSON.stringify(await Promise.all(plans))
  expect(plan).not.toContain("Seq Scan")
  expect(plan).toContain("audit_event_before_account_id_id_idx")
  expect(plan).toContain("app_user_pkey")
})

test("keys of one name are distinguished by their endings", async () => {
  const actor = await newActor("twins@example.com")
  const input = { name: "CI", limit: null, expiresAt: null }
  const [first, second] = [await createKey(runtime(), actor, input), await createKey(runtime(), actor, input)]
  const { lines } = await listAudit(runtime(), actor, { topic: "keys" })
  expect(lines.map(describeAudit)).toEqual([
    `Created the key “CI …${second.token.slice(-4)}”`,
    `Created the key “CI …${first.token.slice(-4)}”`,
  ])
})
