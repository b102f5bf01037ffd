import { beforeAll, expect, test } from "vitest"
import type { Runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { createAccount } from "./create-account"

let here: Runtime
beforeAll(async () => {
  here = await testRuntime({ WELCOME_CREDIT_USD: "2.50" })
})

const count = async (sql: string, values: unknown[]): Promise<number> =>
  (await here.pool.query(sql, values)).rows.length

async function whatExists(accountId: string) {
  const { rows } = await here.pool.query("SELECT balance_pico FROM account WHERE id = $1", [accountId])
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

test("an address gets one account with its key and one credit, however often it is made", async () => {
  const first = await createAccount("ada@example.com")
  expect(first.created).toBe(true)
  expect(await createAccount(" ADA@example.com ")).toEqual({ ...first, created: false })
  expect(await whatExists(first.accountId)).toEqual(WHOLE)
})

test("ten sign-ups of one address at once make one account", async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => createAccount("bob@example.com")))
  expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(1)
  expect(made.filter(({ created }) => created)).toHaveLength(1)
  expect(await whatExists(made[0]?.accountId ?? "")).toEqual(WHOLE)
  expect(await count("SELECT 1 FROM app_user WHERE email = $1", ["bob@example.com"])).toBe(1)
})

test("a failure in its midst leaves nothing behind", async () => {
  await here.pool.query("ALTER TABLE audit_event ADD CONSTRAINT no_eve CHECK (actor <> 'eve')")
  await expect(createAccount("eve@example.com", { actor: "eve" })).rejects.toThrow("no_eve")
  expect(await count("SELECT 1 FROM app_user WHERE email = $1", ["eve@example.com"])).toBe(0)
  expect((await createAccount("eve@example.com")).created).toBe(true)
})

test("the audit log tells who made it", async () => {
  const { accountId } = await createAccount("carol@example.com", { actor: "operator" })
  const { rows } = await here.pool.query("SELECT actor, subject FROM audit_event WHERE account_id = $1", [accountId])
  expect(rows).toEqual([{ actor: "operator", subject: accountId }])
})

test("what is no address is refused and not repeated", async () => {
  await expect(createAccount("ada@localhost")).rejects.toMatchObject({
    code: "invalid_request",
    param: "email",
    message: "This is not an e-mail address.",
  })
})
