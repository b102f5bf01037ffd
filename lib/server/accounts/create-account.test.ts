import { expect, test } from "vitest"
import { OPERATOR, VISITOR } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsd } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { ownerOf } from "@/test/sign-up"
import { addAccount } from "./add-account"
import { createAccount, ensureAccount } from "./create-account"

const app = await testRuntime({ WELCOME_CREDIT_USD: "2.50" })

const count = async (sql: string, values: unknown[]): Promise<number> => (await app.pool.query(sql, values)).rows.length

async function whatExists(accountId: string) {
  const { rows } = await app.pool.query("SELECT balance_pico FROM account WHERE id = $1", [accountId])
  return {
    balance: rows[0]?.balance_pico,
    welcomes: await count("SELECT 1 FROM ledger_entry WHERE account_id = $1 AND kind = 'welcome'", [accountId]),
    keys: await count("SELECT 1 FROM api_key WHERE account_id = $1 AND kind = 'playground' AND name = 'Playground'", [
      accountId,
    ]),
    owners: await count("SELECT 1 FROM member WHERE account_id = $1 AND role = 'owner'", [accountId]),
    audits: await count("SELECT 1 FROM audit_event WHERE account_id = $1 AND action = 'account.create'", [accountId]),
  }
}

const WHOLE = { balance: "2500000000000", welcomes: 1, keys: 1, owners: 1, audits: 1 }

test("an address gets one account with its key and one credit, however often it is created", async () => {
  const first = await createAccount(runtime(), VISITOR, { email: "ada@example.com" })
  expect(first.created).toBe(true)
  expect(await createAccount(runtime(), VISITOR, { email: "ada@example.com" })).toEqual({ ...first, created: false })
  expect(await whatExists(first.accountId)).toEqual(WHOLE)
})

test("ten concurrent sign-ups of one address create one account", async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () => createAccount(runtime(), VISITOR, { email: "bob@example.com" })),
  )
  expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(1)
  expect(made.filter(({ created }) => created)).toHaveLength(1)
  expect(await whatExists(made[0]?.accountId ?? "")).toEqual(WHOLE)
  expect(await count("SELECT 1 FROM app_user WHERE email = $1", ["bob@example.com"])).toBe(1)
})

test("a creation that fails half way leaves nothing behind", async () => {
  await app.pool.query("ALTER TABLE audit_event ADD CONSTRAINT no_operator CHECK (actor <> 'operator')")
  await expect(createAccount(runtime(), OPERATOR, { email: "eve@example.com" })).rejects.toThrow("no_operator")
  await app.pool.query("ALTER TABLE audit_event DROP CONSTRAINT no_operator")
  expect(await count("SELECT 1 FROM app_user WHERE email = $1", ["eve@example.com"])).toBe(0)
  expect((await createAccount(runtime(), VISITOR, { email: "eve@example.com" })).created).toBe(true)
})

test("the audit log names who created the account", async () => {
  const { accountId } = await createAccount(runtime(), OPERATOR, { email: "carol@example.com" })
  const { rows } = await app.pool.query("SELECT actor, subject FROM audit_event WHERE account_id = $1", [accountId])
  expect(rows).toEqual([{ actor: "operator", subject: accountId }])
})

const ensure = (userId: string) => inTransaction(app.pool, (client) => ensureAccount(runtime(), client, userId, null))

test("a user who is in no account gets a new one without another welcome credit, once", async () => {
  const { accountId, userId } = await createAccount(runtime(), VISITOR, { email: "dan@example.com" })
  await app.pool.query("DELETE FROM member WHERE user_id = $1", [userId])
  await Promise.all([ensure(userId), ensure(userId)])
  const { rows } = await app.pool.query("SELECT account_id FROM member WHERE user_id = $1", [userId])
  expect(rows).toHaveLength(1)
  expect(rows[0].account_id).not.toBe(accountId)
  expect(await whatExists(rows[0].account_id)).toEqual({ ...WHOLE, balance: "0", welcomes: 0 })
  await app.pool.query("DELETE FROM member WHERE user_id = $1", [userId])
  const again = await createAccount(runtime(), OPERATOR, { email: "dan@example.com" })
  expect(again).toMatchObject({ userId, created: true })
  expect(await whatExists(again.accountId)).toEqual({ ...WHOLE, balance: "0", welcomes: 0 })
})

test("a deleted user gets no account", async () => {
  const { userId } = await createAccount(runtime(), VISITOR, { email: "fay@example.com" })
  await app.pool.query("DELETE FROM member WHERE user_id = $1", [userId])
  await app.pool.query("UPDATE app_user SET email = 'deleted-user-fay', erased_at = now() WHERE id = $1", [userId])
  await expect(ensure(userId)).rejects.toThrow("the user was deleted")
  expect(await count("SELECT 1 FROM member WHERE user_id = $1", [userId])).toBe(0)
})

test("a new account has the rates and the budget of the settings, however it is created", async () => {
  const budget = parseUsd("12.50") ?? undefined
  Object.assign(app.env, { ACCOUNT_RATE: 7, KEY_RATE: 3, ACCOUNT_BUDGET_USD: budget })
  const { accountId, userId } = await createAccount(runtime(), VISITOR, { email: "gil@example.com" })
  const actor = { ...ownerOf(accountId), userId }
  const added = parsePublicId("acc", (await addAccount(runtime(), actor, { name: "Second" })).id)
  Object.assign(app.env, { ACCOUNT_RATE: 20, KEY_RATE: 10, ACCOUNT_BUDGET_USD: undefined })
  const { rows } = await app.pool.query(
    `SELECT requests_per_second AS rate, requests_per_second_per_key AS key_rate, b.period, b.subject, b.limit_pico
     FROM account a LEFT JOIN budget b ON b.account_id = a.id WHERE a.id = ANY ($1)`,
    [[accountId, added]],
  )
  const settings = { rate: 7, key_rate: 3, period: "monthly", subject: "", limit_pico: "12500000000000" }
  expect(rows).toEqual([settings, settings])
})
