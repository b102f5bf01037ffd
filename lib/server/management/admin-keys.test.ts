import { expect, test } from "vitest"
import { hashSecret } from "@/lib/server/keys/secret"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { publicId } from "@/lib/server/platform/ids"
import { adminSender, codeOf, operatorToken } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"

const runtime = await testRuntime({ WELCOME_CREDIT_USD: "0" })
const { token } = await operatorToken("Deploy")
const send = adminSender(token)

async function account(name: string) {
  const { accountId } = await signUp(`${name}@example.com`)
  return { accountId, path: `/accounts/${publicId("acc", accountId)}` }
}

const keyed = (key: string) => ({ "idempotency-key": key })
const count = async (sql: string, accountId: string) => Number((await runtime.pool.query(sql, [accountId])).rows[0].n)
const KEYS = "SELECT count(*) AS n FROM api_key WHERE account_id = $1 AND kind = 'secret'"
const CREDITS = "SELECT count(*) AS n FROM ledger_entry WHERE account_id = $1 AND kind = 'credit'"
const CREDIT = { kind: "credit", amount_usd: "5", note: "Trial" }

test("a key is created, listed, restricted, replaced and revoked", async () => {
  const { accountId, path } = await account("keys")
  const body = { name: "CI", limit_usd: "5", limit_period: "daily", tags: ["team=search"] }
  const made = await send("POST", `${path}/keys`, { body })
  expect(made).toMatchObject({ status: 200, body: { key: expect.stringMatching(/^svcd_/) } })
  const { id, key } = made.body
  const one = async () => (await send("GET", `${path}/keys`)).body.data[0]
  expect(await one()).toMatchObject({ id, name: "CI", limit_usd: "5.000000000000", tags: ["team=search"] })
  const networks = { models: [], routes: ["/v1/decisions"], networks: ["203.0.113.0/24"] }
  expect((await send("PUT", `${path}/keys/${id}/restrictions`, { body: networks })).status).toBe(200)
  expect(await one()).toMatchObject(networks)
  const replaced = await send("POST", `${path}/keys/${id}/replace`, { body: { overlap_hours: 0 } })
  expect(replaced.body.key).not.toBe(key)
  const { rows } = await runtime.pool.query(
    "SELECT secret_sha256 FROM api_key WHERE account_id = $1 AND kind = 'secret'",
    [accountId],
  )
  expect(rows[0].secret_sha256).toEqual(hashSecret("svcd_", replaced.body.key))
  expect((await send("DELETE", `${path}/keys/${id}`)).status).toBe(200)
  expect((await one()).status).toBe("revoked")
})

test("another account's key is unknown", async () => {
  const [mine, other] = [await account("mine"), await account("other")]
  const { body } = await send("POST", `${mine.path}/keys`, { body: { name: "CI" } })
  expect(codeOf(await send("DELETE", `${other.path}/keys/${body.id}`))).toEqual([404, "not_found"])
  expect((await send("GET", `${mine.path}/keys`)).body.data[0].status).toBe("active")
})

test.each([
  [{ name: "CI", limit_usd: "5" }, "limit_usd"],
  [{ name: "CI", limit_usd: "none", limit_period: "daily" }, "limit_usd"],
  [{ name: "" }, "name"],
  [{ name: "CI", expires_at: "2020-01-01" }, "expires_at"],
  [{ name: "CI", models: ["no-model"] }, "models"],
])("a key of %o is refused with the field", async (body, param) => {
  const { path } = await account(`refused-${param}-${Object.keys(body).length}-${JSON.stringify(body).length}`)
  const refused = await send("POST", `${path}/keys`, { body })
  expect([...codeOf(refused), refused.body.error.param]).toEqual([400, "invalid_request", param])
})

test("a request that is repeated with its key creates one key, and shows the secret once", async () => {
  const { accountId, path } = await account("repeated")
  const create = (key: string, name = "CI") => send("POST", `${path}/keys`, { body: { name }, headers: keyed(key) })
  const sent = await Promise.all([create("a"), create("a"), create("a")])
  expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1)
  expect(sent.filter(({ body }) => body.key !== null)).toHaveLength(1)
  expect(sent.map(({ headers }) => headers.get("idempotent-replayed")).toSorted()).toEqual(
    ["true", "true", null].toSorted(),
  )
  expect(await count(KEYS, accountId)).toBe(1)
  expect(codeOf(await create("a", "Other"))).toEqual([400, "invalid_request"])
  expect((await create("b")).body.id).not.toBe(sent[0]?.body.id)
  const { rows } = await runtime.pool.query("SELECT body::text FROM kept_answer")
  expect(JSON.stringify(rows)).not.toMatch(/svcd_[0-9A-Za-z]{36}|CI/)
})

test("a key of another token is another one", async () => {
  const { accountId, path } = await account("tokens")
  const other = await operatorToken("Other")
  for (const bearer of [token, other.token])
    await send("POST", `${path}/credits`, { body: CREDIT, headers: keyed("shared"), bearer })
  expect(await count(CREDITS, accountId)).toBe(2)
})

test("a credit that is repeated concurrently is booked once", async () => {
  const { accountId, path } = await account("credit")
  const sent = await Promise.all(
    Array.from({ length: 5 }, () => send("POST", `${path}/credits`, { body: CREDIT, headers: keyed("credit-1") })),
  )
  expect(sent.map(({ body }) => body.balance_usd)).toEqual(Array(5).fill("5.000000000000"))
  expect(await count(CREDITS, accountId)).toBe(1)
  expect((await verifyLedger(runtime, { all: true })).ok).toBe(true)
})

test("a dry run of a credit reports the balance and books nothing", async () => {
  const { accountId, path } = await account("dry")
  const dry = await send("POST", `${path}/credits?dry_run=1`, { body: CREDIT })
  expect(dry.body.balance_usd).toBe("5.000000000000")
  expect(await count(CREDITS, accountId)).toBe(0)
  expect((await send("GET", path)).body.balance_usd).toBe("0.000000000000")
  const { rows } = await runtime.pool.query(
    "SELECT FROM audit_event WHERE account_id = $1 AND action = 'account.credit'",
    [accountId],
  )
  expect(rows).toEqual([])
})

test("a reference is booked once, and refused with another amount", async () => {
  const { accountId, path } = await account("reference")
  const book = (amount_usd: string) =>
    send("POST", `${path}/credits`, { body: { ...CREDIT, amount_usd, reference: "invoice-7" } })
  expect((await book("5")).body).toMatchObject({ booked: true, balance_usd: "5.000000000000" })
  expect((await book("5")).body).toMatchObject({ booked: false, balance_usd: "5.000000000000" })
  const other = await book("6")
  expect([...codeOf(other), other.body.error.param]).toEqual([400, "invalid_request", "reference"])
  expect(await count(CREDITS, accountId)).toBe(1)
  const elsewhere = await account("reference-2")
  const body = { ...CREDIT, reference: "invoice-7" }
  expect((await send("POST", `${elsewhere.path}/credits`, { body })).body.booked).toBe(true)
})

test("a debit may make the balance negative", async () => {
  const { path } = await account("debit")
  const { body } = await send("POST", `${path}/credits`, { body: { ...CREDIT, kind: "debit" } })
  expect(body.balance_usd).toBe("-5.000000000000")
})

test.each([
  ["POST", "/topups/top_00000000000000000000000000/refund", { amount_usd: "5", note: "Outage" }],
  ["POST", "/accounts", { email: "ignored@example.com" }],
  ["POST", "/ledger/checks", undefined],
])("%s %s refuses a key that it would ignore", async (method, path, body) => {
  const refused = await send(method, path, { body, headers: keyed("ignored") })
  expect([...codeOf(refused), refused.body.error.param]).toEqual([400, "invalid_request", "Idempotency-Key"])
})

test("a failed request keeps no answer, so its key can be used again", async () => {
  const { path } = await account("failed")
  const wrong = { name: "CI", models: ["no-model"] }
  expect((await send("POST", `${path}/keys`, { body: wrong, headers: keyed("again") })).status).toBe(400)
  expect((await send("POST", `${path}/keys`, { body: { name: "CI" }, headers: keyed("again") })).status).toBe(200)
})
