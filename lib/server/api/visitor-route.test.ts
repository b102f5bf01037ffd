import { expect, test } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { testService } from "@/test/service"

const service = await testService({ TRY_WITHOUT_ACCOUNT: "1", TRUSTED_PROXY_HOPS: "1" }, { serve: "all" })
await runtime().pool.query("UPDATE model SET price_pico = 1000 WHERE engine = 'lexical'")
await loadCatalogue(runtime())

let clients = 0
/** Sends a run of a visitor, by default of one who was never here. */
function run({ body = JSON.stringify(EXAMPLE_REQUEST), headers = {} as Record<string, string> } = {}) {
  clients++
  return fetch(`${service.url}/try/decisions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: runtime().env.CONSOLE_URL,
      "x-forwarded-for": `203.0.${clients}.1`,
      ...headers,
    },
    body,
  })
}

const keysOfVisitors = async () =>
  (
    await runtime().pool.query(
      `SELECT k.limit_pico, k.limit_period, k.spent_pico FROM api_key k JOIN member m USING (account_id)
       JOIN app_user u ON u.id = m.user_id WHERE u.email = 'visitors@service.invalid' AND k.kind = 'secret'`,
    )
  ).rows

test("visitors who come at once get answers, which one key with a daily limit pays for", async () => {
  const responses = await Promise.all([run(), run(), run()])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await responses[0]?.json()).toMatchObject({ model: "svc-lexical-baseline-1", usage: { input_tokens: 72 } })
  // 3 × 72 tokens at 1,000 pico-USD, of $1 a day.
  expect(await keysOfVisitors()).toEqual([{ limit_pico: "1000000000000", limit_period: "daily", spent_pico: "216000" }])
  const mails = await runtime().pool.query("SELECT FROM queued_mail")
  expect(mails.rowCount).toBe(0)
})

test("a run of a visitor keeps no tags", async () => {
  expect((await run({ headers: { "x-svc-tag": "team=search" } })).status).toBe(200)
  const tagged = await runtime().pool.query("SELECT FROM ledger_entry WHERE tags IS NOT NULL")
  expect(tagged.rowCount).toBe(0)
})

test("a visitor has ten runs a day", async () => {
  const headers = { "x-forwarded-for": "198.51.100.7" }
  await runtime().pool.query("TRUNCATE visitor_run")
  expect((await run({ headers })).status).toBe(200)
  await runtime().pool.query("UPDATE visitor_run SET runs = 10")
  const refused = await run({ headers })
  expect(refused.status).toBe(429)
  expect((await refused.json()).error.message).toBe(
    "The 10 runs a day without an account are used up. Sign in to continue.",
  )
})

test("another site and a long body are refused, and credentials change nothing", async () => {
  expect((await run({ headers: { origin: "https://evil.example" } })).status).toBe(403)
  const long = JSON.stringify({ ...EXAMPLE_REQUEST, state: "a".repeat(17_000) })
  expect((await run({ body: long })).status).toBe(413)
  const withKey = await run({ headers: { authorization: "Bearer svcd_x", "x-svc-key-id": "key_x" } })
  expect(withKey.status).toBe(200)
})

test("what the operator spends on visitors is not shown to them", async () => {
  await runtime().pool.query("UPDATE model SET price_pico = 100000000000 WHERE engine = 'lexical'")
  await loadCatalogue(runtime())
  const refused = await run()
  expect(refused.status).toBe(429)
  const text = await refused.text()
  expect(text).toContain("The runs without an account are used up for today. Sign in to continue.")
  expect(text).not.toContain("usd")
  await runtime().pool.query("UPDATE model SET price_pico = 1000 WHERE engine = 'lexical'")
  await loadCatalogue(runtime())
})

test("a key that the operator revoked is not replaced", async () => {
  await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE name = 'Visitors'")
  expect((await run()).status).toBe(404)
  expect((await run()).status).toBe(404)
  expect(await keysOfVisitors()).toHaveLength(1)
})

test("nothing is at the address while trying without an account is off", async () => {
  runtime().env.isTryOpen = false
  expect((await run()).status).toBe(404)
  runtime().env.isTryOpen = true
})
