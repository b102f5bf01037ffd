import fc from "fast-check"
import { expect, test } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { VISITOR } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { testRuntime } from "@/test/database"
import { testScale } from "@/test/scale"
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

async function credited(emails: string[]): Promise<number> {
  const made = await Promise.all(emails.map((email) => createAccount(runtime(), VISITOR, { email })))
  expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(emails.length)
  const { rows } = await app.pool.query(
    "SELECT count(*)::int AS welcomes FROM ledger_entry WHERE kind = 'welcome' AND account_id = ANY ($1)",
    [made.map(({ accountId }) => accountId)],
  )
  return rows[0].welcomes
}

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
