import fc from "fast-check"
import { expect, test } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { VISITOR } from "@/lib/server/platform/actor"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { inJoinedTransaction, inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { testRuntime } from "@/test/database"
import { testScale } from "@/test/scale"
import { waitsForLock } from "@/test/waits-for-lock"
import { MAILBOX, mailboxOf } from "./mailbox"
import { rememberAddress } from "./past-addresses"

const app = await testRuntime({ WELCOME_CREDIT_USD: "1" })

test.each([
  ["ada@example.com", "ada@example.com"],
  ["ada+news@example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.da@example.com", "a.da@example.com"],
  ["+ada@example.com", "+ada@example.com"],
  ["a.d.a+x.y@gmail.com", "ada@gmail.com"],
  ["a.da@googlemail.com", "ada@gmail.com"],
  ["a.da@mail.gmail.com", "a.da@mail.gmail.com"],
])("%s is in the mailbox %s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

const Address = fc
  .tuple(
    fc.stringMatching(/^[ab+.]{1,12}$/),
    fc.constantFrom("gmail.com", "googlemail.com", "example.com", "gmail.com.example.org"),
  )
  .map(([name, domain]) => `${name}@${domain}`)
  .filter((email) => parseEmailAddress(email) === email)

test("the database computes the same mailbox", async () => {
  const sql = `SELECT ${MAILBOX("$1::text")} AS mailbox`
  await fc.assert(
    fc.asyncProperty(Address, async (email) => {
      expect((await app.pool.query(sql, [email])).rows).toEqual([{ mailbox: mailboxOf(email) }])
    }),
    { numRuns: 300 * testScale },
  )
})

test("the database finds a mailbox by its index", async () => {
  const plan = await inTransaction(app.pool, async (client) => {
    await client.query("SET LOCAL enable_seqscan = off")
    return client.query(
      `EXPLAIN SELECT FROM app_user WHERE ${MAILBOX("email")} = 'ada@gmail.com' AND erased_at IS NULL`,
    )
  })
  expect(JSON.stringify(plan.rows)).toContain("app_user_mailbox")
})

async function welcomesOf(accountIds: string[]): Promise<number> {
  const { rows } = await app.pool.query(
    "SELECT count(*)::int AS welcomes FROM ledger_entry WHERE kind = 'welcome' AND account_id = ANY ($1)",
    [accountIds],
  )
  return rows[0].welcomes
}

async function credited(emails: string[]): Promise<number> {
  const made = await Promise.all(emails.map((email) => createAccount(runtime(), VISITOR, { email })))
  expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(emails.length)
  return welcomesOf(made.map(({ accountId }) => accountId))
}

const WAITING = `
  SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/**
 * Signs up the first address and, before that transaction ends with `finish`, the second one. Returns both accounts once the second
 * sign-up waited for the lock of the mailbox.
 */
async function signUpMeanwhile(first: string, second: string, finish: () => void) {
  let waiting: ReturnType<typeof createAccount> | undefined
  let firstId = ""
  const held = inJoinedTransaction(app.pool, async (_client, pool) => {
    firstId = (await createAccount({ ...runtime(), pool }, VISITOR, { email: first })).accountId
    waiting = createAccount(runtime(), VISITOR, { email: second })
    waiting.catch(() => {})
    await waitsForLock()
    expect((await app.pool.query(WAITING, [LOCKS.mailboxes])).rows).toEqual([{ waiting: 1 }])
    finish()
  })
  const problem = await held.then(
    () => null,
    (cause: Error) => cause.message,
  )
  return { problem, firstId, secondId: (await waiting)?.accountId ?? "" }
}

test("a second sign-up of a mailbox waits until the first ends, and gets no credit", async () => {
  const { problem, firstId, secondId } = await signUpMeanwhile("wait+1@example.com", "wait+2@example.com", () => {})
  expect(problem).toBeNull()
  expect([await welcomesOf([firstId]), await welcomesOf([secondId])]).toEqual([1, 0])
})

test("a second sign-up of a mailbox gets the credit when the first, for which it waited, fails", async () => {
  const { problem, firstId, secondId } = await signUpMeanwhile("fail+1@example.com", "fail+2@example.com", () => {
    throw new Error("the first sign-up fails")
  })
  expect(problem).toBe("the first sign-up fails")
  expect([await welcomesOf([firstId]), await welcomesOf([secondId])]).toEqual([0, 1])
})

test("of 12 concurrent sign-ups of one mailbox, one account gets the credit, and each address has its user", async () => {
  const spellings = ["e.ve", "ev.e", "eve", "e.v.e"].flatMap((name) => [
    `${name}@gmail.com`,
    `${name}+x@gmail.com`,
    `${name}@googlemail.com`,
  ])
  expect(await credited(spellings)).toBe(1)
  expect(await credited(["eve+later@gmail.com"])).toBe(0)
})

test("two mailboxes that share a start each get the credit", async () => {
  expect(await credited(["bo@example.com", "bob@example.com", "b.ob@example.com", "bob@example.org"])).toBe(4)
})

test("the mailbox of a deleted user gets no second credit under another spelling", async () => {
  await inTransaction(app.pool, (client) => rememberAddress(runtime(), client, "gone+1@example.com"))
  expect(await credited(["gone+2@example.com"])).toBe(0)
})

test("an address that version 1.0 remembered gets no second credit", async () => {
  const { createHmac } = await import("node:crypto")
  const hash = createHmac("sha256", app.env.AUTH_SECRET ?? "")
    .update("past-address:old+1@example.com")
    .digest()
  await app.pool.query("INSERT INTO past_address (address_hmac) VALUES ($1)", [hash])
  expect(await credited(["old+1@example.com"])).toBe(0)
})
