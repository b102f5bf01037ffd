import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/shared/webhooks/events"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { watchErrorRates } from "./watch-error-rates"

const runtime = await testRuntime()
const KEY = "01900000-0000-7000-8000-000000000001"
const ALL_KEYS = "00000000-0000-0000-0000-000000000000"

/** Creates an account with a webhook, and with so many answers and failures between 09:00 and 10:00. */
async function newAccount(
  answered: number,
  failed: number,
  status = 503,
  events: WebhookEvent[] = WEBHOOK_EVENT_NAMES,
) {
  const actor = await signUp()
  await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events })
  await runtime.pool.query(
    `INSERT INTO usage_sum (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts, latency_counts)
     VALUES ($1, 'hour', '2026-11-20T09:00Z', $2, '*', $3, 0, 0, '{}', '{}')`,
    [actor.accountId, ALL_KEYS, answered],
  )
  await runtime.pool.query(
    "SELECT add_request_counts(ARRAY[$1::uuid], ARRAY[$2::uuid], ARRAY['m'], ARRAY[$3::int], ARRAY['overloaded'], ARRAY[$4::timestamptz], ARRAY[$5::bigint])",
    [actor.accountId, KEY, status, "2026-11-20T09:30Z", failed],
  )
  return actor
}

async function reported(accountId: string): Promise<unknown[]> {
  const { rows } = await runtime.pool.query<{ body: string }>(
    "SELECT body FROM webhook_delivery WHERE account_id = $1 ORDER BY created_at",
    [accountId],
  )
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body)
    return [type, data]
  })
}

/** Returns the facts of the mails about failures that are queued for an account. */
async function mailed(accountId: string): Promise<unknown[]> {
  const { rows } = await runtime.pool.query(
    "SELECT facts FROM queued_mail WHERE kind = 'errors_high' AND account_id = $1",
    [accountId],
  )
  return rows.map(({ facts }) => facts)
}

test("an hour in which a twentieth of the requests failed is reported once", async () => {
  const { accountId } = await newAccount(190, 10)
  const at = new Date("2026-11-20T09:45Z")
  await Promise.all([watchErrorRates(runtime, at), watchErrorRates(runtime, at)])
  await watchErrorRates(runtime, new Date("2026-11-20T10:01Z"))
  expect(await reported(accountId)).toEqual([
    [
      "errors.high",
      { account_id: publicId("acc", accountId), hour: "2026-11-20T09:00:00.000Z", requests: 200, failed: 10 },
    ],
  ])
  expect(await mailed(accountId)).toEqual([{ hour: "2026-11-20T09:00:00.000Z", requests: 200, failed: 10 }])
})

test("failures at the end of an hour are reported in the first minutes of the next, and not later", async () => {
  const { accountId } = await newAccount(0, 10)
  await watchErrorRates(runtime, new Date("2026-11-20T10:02:01Z"))
  expect(await reported(accountId)).toEqual([])
  await watchErrorRates(runtime, new Date("2026-11-20T10:01:59Z"))
  expect(await reported(accountId)).toHaveLength(1)
})

test("the accounts with failures are found by an index, however many accounts have requests", async () => {
  const client = await runtime.pool.connect()
  try {
    await client.query("SET enable_seqscan = off")
    const { rows } = await client.query(
      `EXPLAIN SELECT account_id FROM usage_error WHERE start IN ('2026-11-20T09:00Z', '2026-11-20T10:00Z') AND unit = 'hour'
         AND key_id = '${ALL_KEYS}' AND model_id = '*' AND status >= 500`,
    )
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("usage_error_failures_by_hour")
  } finally {
    client.release(true)
  }
})

test("few failures, a small part, refusals, and webhooks without the event cause no message", async () => {
  const quiet = [
    await newAccount(0, 9),
    await newAccount(191, 10),
    await newAccount(0, 100, 429),
    await newAccount(0, 100, 503, ["balance.low"]),
  ]
  await watchErrorRates(runtime, new Date("2026-11-20T09:45Z"))
  for (const { accountId } of quiet) expect(await reported(accountId)).toEqual([])
  // The last account has no webhook that wants the event, but a member who gets the mail.
  expect(await Promise.all(quiet.map(async ({ accountId }) => (await mailed(accountId)).length))).toEqual([0, 0, 0, 1])
})
