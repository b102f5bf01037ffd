import { expect, test, vi } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { joinAccount, ownerOf, signUp } from "@/test/sign-up"
import { chargeTenant, createTenant, refuseTenant } from "@/test/tenant"
import { buyAndPay, testTopups } from "@/test/topup-fixture"
import { renameAccount } from "./account-name"
import { operatorForNamed } from "./find-account"
import { listAccounts } from "./list-accounts"

const { app, double } = await testTopups()
const ada = await signUp("ada@own.example")
await renameAccount(runtime(), ada, { name: "Café 100%" })
const { token } = await createKey(runtime(), ada, { name: "CI", limit: null, expiresAt: null })
const { id: topup, sessionId, payment } = await buyAndPay(double, ada)
const tenant = await createTenant(["Production"])
const requests = [
  await chargeTenant(tenant, tenant.keys[0], { tokens: 12 }),
  await refuseTenant(tenant, tenant.keys[0], { at: new Date().toISOString() }),
]
const bob = await createMember("bob_1@members.example", ada)

/** Creates a user who owns no account, as a member of these accounts. */
async function createMember(email: string, ...owners: UserActor[]): Promise<UserActor> {
  const user = { ...ownerOf(newId()), email }
  await app.pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [user.userId, email])
  for (const owner of owners) await joinAccount(owner, "viewer", user)
  return user
}

const idOf = ({ accountId }: UserActor) => publicId("acc", accountId)

async function found(q: string): Promise<string[]> {
  const { accounts } = await listAccounts(runtime(), OPERATOR, { limit: 10, after: null, q })
  return accounts.map(({ id }) => id)
}

const IDENTIFIERS: [string, UserActor, string][] = [
  ["its id", ada, idOf(ada)],
  ["the start of a key", ada, token.slice(0, 9)],
  ["a key as lists show it", ada, `${token.slice(0, 9)}…${token.slice(-4)}`],
  ["the id of a top-up", ada, publicId("top", topup)],
  ["the id of a payment at Stripe", ada, payment],
  ["the id of a checkout at Stripe", ada, sessionId],
  ["the id of a key", tenant.actor, publicId("key", tenant.keys[0] ?? "")],
  ...requests.map((id): [string, UserActor, string] => ["the id of a request", tenant.actor, publicId("req", id)]),
]

test.each(IDENTIFIERS)("the list and commands find an account by %s", async (_what, owner, text) => {
  expect(await found(` ${text} `)).toEqual([idOf(owner)])
  expect(await operatorForNamed(runtime(), text)).toMatchObject({ accountId: owner.accountId })
  // Another text of this form finds nothing.
  const other = `${text.slice(0, 5)}${[...text.slice(5)].map((letter) => (letter === "0" ? "1" : "0")).join("")}`
  expect(await found(other)).toEqual([])
  await expect(operatorForNamed(runtime(), other)).rejects.toMatchObject({ code: "not_found" })
})

test("a whole key finds nothing", async () => {
  expect(await found(token)).toEqual([])
  await expect(operatorForNamed(runtime(), token)).rejects.toMatchObject({ code: "not_found" })
})

test.each(["bob_1@members.example", "BOB_", "members.example", "@members.example", "café", "Café 100%"])(
  "the list finds an account by the start of a member's address or of its name, or a domain: %s",
  async (text) => {
    expect(await found(text)).toEqual([idOf(ada)])
  },
)

test.each(["bob%", "bo_", "%", "afé", "members", "\\"])("the list finds nothing for %s", async (text) => {
  expect(await found(text)).toEqual([])
})

test("a member's address means their account for commands, and of several none", async () => {
  expect(await operatorForNamed(runtime(), " Bob_1@Members.example ")).toMatchObject({ accountId: ada.accountId })
  const other = await signUp()
  await joinAccount(other, "viewer", bob)
  await expect(operatorForNamed(runtime(), bob.email)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(idOf(other)),
  })
  await expect(operatorForNamed(runtime(), "Café 100%")).rejects.toMatchObject({ code: "not_found" })
})

async function insertMany(): Promise<void> {
  await app.pool.query(`
    WITH n AS (SELECT i, gen_random_uuid() AS id FROM generate_series(1, 3000) AS i),
      accounts AS (INSERT INTO account (id, name) SELECT id, 'Team ' || i FROM n RETURNING id),
      users AS (INSERT INTO app_user (id, email) SELECT id, 'user-' || i || '@host-' || i || '.example' FROM n RETURNING id),
      keys AS (INSERT INTO api_key (id, account_id, name, masked, secret_sha256)
        SELECT id, id, 'CI', 'svcd_' || left(md5(i::text), 4) || '…' || right(md5(i::text), 4), decode(md5(i::text), 'hex') FROM n RETURNING id)
    INSERT INTO member (account_id, user_id, role) SELECT id, id, 'owner' FROM n`)
  await app.pool.query("ANALYZE account, app_user, member, api_key")
}

/** Returns the plans of what a search sends, with a scan of a whole table only where no index serves. */
async function plansOf(q: string): Promise<string> {
  const query = vi.spyOn(app.pool, "query")
  await found(q)
  const calls = query.mock.calls as unknown as [string, unknown[]][]
  query.mockRestore()
  const client = await app.pool.connect()
  try {
    await client.query("BEGIN; SET LOCAL enable_seqscan = off")
    const plans: unknown[] = []
    for (const [text, values] of calls)
      if (typeof text === "string" && text.includes("account"))
        plans.push((await client.query(`EXPLAIN ${text}`, values)).rows)
    return JSON.stringify(plans)
  } finally {
    await client.query("ROLLBACK")
    client.release()
  }
}

test("an index serves each way to find an account", async () => {
  await insertMany()
  const [, , , , , , , charged] = IDENTIFIERS.map(([, , text]) => text)
  const expected: [string, string[]][] = [
    [
      "user-17@host-17.example",
      ["app_user_email_start", "app_user_domain", "account_name_start", "member_user_id_idx"],
    ],
    [token.slice(0, 9), ["api_key_masked_start", "account_pkey"]],
    [payment, ["topup_payment_intent_id_key"]],
    [sessionId, ["topup_session_id_key"]],
    [charged ?? "", ["ledger_entry", "request_event"]],
  ]
  for (const [text, indexes] of expected) {
    const plan = await plansOf(text)
    expect(plan).not.toContain("Seq Scan")
    for (const index of indexes) expect([text, plan]).toEqual([text, expect.stringContaining(index)])
  }
})
