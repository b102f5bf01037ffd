import { unzipSync } from "fflate"
import { expect, it } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { queueEvent } from "@/lib/server/events/queue-event"
import { createKey } from "@/lib/server/keys/create-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { rollUpNewUsage } from "@/lib/server/usage/roll-up-usage"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { streamExport } from "./export-account"

const app = await testRuntime({ WELCOME_CREDIT_USD: "0" })
await insertModel("m")

async function read(stream: ReadableStream<Uint8Array>): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await new Response(stream).arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

const query = (text: string, values: unknown[] = []) => app.pool.query(text, values)

/** Writes rows to each table that the export covers. Returns the key's id, and the secrets that the export must not contain. */
async function fill(owner: UserActor) {
  const { accountId, userId } = owner
  await postEntry(app.pool, { accountId, kind: "credit", amountPico: pico(5_000_000_000_000n), source: newId() })
  const { id: keyId, token } = await createKey(runtime(), owner, { name: "=CI", limit: null, expiresAt: null })
  const { token: accountToken } = await createAccountToken(runtime(), owner, { name: "Dashboard", expiresAt: null })
  const topup = newId()
  await query(
    "INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status, checkout_url) VALUES ($1, $2, $3, 500, 600, 'paid', 'https://pay.example/secret')",
    [topup, accountId, userId],
  )
  const keyUuid = parsePublicId("key", keyId) ?? ""
  const hold = newId()
  await placeHold(runtime(), {
    id: hold,
    actor: { accountId, keyId: keyUuid },
    modelId: "m",
    pricePico: pico(3),
    maxTokens: 10,
    tags: ["team=search"],
  })
  await capture(runtime(), { id: hold, accountId }, { tokens: 5, latencyMs: 1, questionCounts: { noul: 1 } })
  await rollUpNewUsage(runtime())
  const { secret } = await createEndpoint(runtime(), owner, {
    url: "https://hooks.example/in",
    events: ["balance.low"],
  })
  const event = {
    accountId,
    type: "balance.low" as const,
    source: newId(),
    data: { account_id: publicId("acc", accountId), balance_usd: "4.000000000000", threshold_usd: "5.000000000000" },
  }
  await inTransaction(app.pool, (client) => queueEvent(client, event))
  await query(
    "INSERT INTO request_event (id, account_id, key_id, status, code, latency_ms, created_at) VALUES ($1, $2, $3, 402, 'insufficient_balance', 7, now())",
    [newId(), accountId, keyUuid],
  )
  await query(
    `INSERT INTO request_detail (id, account_id, key_id, created_at, alias, state_tokens, question_tokens, retries)
     VALUES ($1, $2, $3, now(), 'svc-decider-latest', 7, 5, 1)`,
    [newId(), accountId, keyUuid],
  )
  await query(
    "INSERT INTO saved_card (payment_method_id, account_id, brand, last4, exp_month, exp_year, entered_at, user_id) VALUES ($1, $2, 'visa', '4242', 4, 2031, '2026-11-20T10:00:00Z', $3)",
    [`pm_${accountId}`, accountId, userId],
  )
  await query(
    "INSERT INTO auto_topup (account_id, state, threshold_cents, amount_cents, cap_cents) VALUES ($1, 'on', 700, 2500, 10000)",
    [accountId],
  )
  await query(
    "INSERT INTO billing_details (account_id, company, address, vat_id, purchase_order) VALUES ($1, 'Acme', 'Example Road 1', '', '')",
    [accountId],
  )
  await query(
    "INSERT INTO key_rules (account_id, default_limit_pico, default_period, max_limit_pico) VALUES ($1, 3000000000000, 'daily', 17000000000000)",
    [accountId],
  )
  await query("SELECT set_budget($1, $2, NULL, 'monthly', 19000000000000)", [newId(), accountId])
  await query("INSERT INTO outcome_switch (account_id, is_on) VALUES ($1, true)", [accountId])
  await query(
    `INSERT INTO outcome (account_id, request_id, question, type, model_id, predicted, score, outcome, sampled_share, known_at)
     VALUES ($1, $2, '=late', 'score', 'm', 0.75, 1.5, 2, 0.05, '2026-11-20T12:00:00Z')`,
    [accountId, hold],
  )
  await query(
    `INSERT INTO outcome_alarm (id, account_id, question, type, model_id, claim, threshold, target)
     VALUES ($1, $2, 'parcel is late', 'noul', 'm', 'above', 0.83, 0.05)`,
    [newId(), accountId],
  )
  await query("INSERT INTO shadow_refusal (account_id) VALUES ($1)", [accountId])
  await query(
    "INSERT INTO model (id, kind, target_id) VALUES ('svc-decider-latest', 'alias', 'm') ON CONFLICT DO NOTHING",
  )
  await query("INSERT INTO alias_stay (account_id, alias_id, model_id, until_at) VALUES ($1, $2, 'm', '2099-05-06')", [
    accountId,
    "svc-decider-latest",
  ])
  await query("INSERT INTO model (id, kind, engine) VALUES ('candidate', 'pinned', 'lexical') ON CONFLICT DO NOTHING")
  const shadow = newId()
  await query(
    `INSERT INTO shadow (id, alias_id, from_id, to_id, share, ended_at)
     VALUES ($1, 'm', 'm', 'candidate', 0.05, now())`,
    [shadow],
  )
  await query("INSERT INTO shadow_account VALUES ($1, $2, 3, 1, 4711, 12, 13)", [shadow, accountId])
  await query("INSERT INTO shadow_question VALUES ($1, $2, 'choice', 7, 3, 1, 0.8125)", [shadow, accountId])
  await query("INSERT INTO alias_use (alias_id, account_id, last_used_at) VALUES ('svc-decider-latest', $1, now())", [
    accountId,
  ])
  await query(
    "INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at, accepted_at) VALUES ($1, $2, 'joined@export.example', 'viewer', $3, now(), now())",
    [newId(), accountId, userId],
  )
  await query("INSERT INTO known_browser (user_id, token_sha256, seen_at) VALUES ($1, $2, '2026-11-20T11:00:00Z')", [
    userId,
    Buffer.alloc(32),
  ])
  await query(
    "INSERT INTO email_change (id, user_id, new_email, old_token_hash, new_token_hash, expires_at) VALUES ($1, $2, $3, $4, $5, now() + interval '1 hour')",
    [newId(), userId, `next-${owner.email}`, newId(), newId()],
  )
  await query(
    "INSERT INTO session (id, token_hash, user_id, account_id, expires_at, browser) VALUES ($1, $2, $3, $4, now() + interval '1 day', 'Firefox of the owner')",
    [newId(), hashSessionToken(newSessionToken()), userId, accountId],
  )
  await query("INSERT INTO user_identity (id, user_id, issuer, subject) VALUES ($1, $2, 'https://id.example', $3)", [
    newId(),
    userId,
    `person of ${owner.email}`,
  ])
  await query(
    "INSERT INTO passkey (id, user_id, credential_id, public_key, counter, name) VALUES ($1, $2, $3, '', 0, $4)",
    [newId(), userId, Buffer.from(newId()), `key of ${owner.email}`],
  )
  await query("UPDATE app_user SET past_emails = ARRAY['former-' || email] WHERE id = $1", [userId])
  return { keyId, secrets: [token, accountToken, secret, "https://pay.example/secret"] }
}

const JSON_FILE = "account.json"

/** Each table: the file of the export that has its rows, and a text of them that `fill` writes; or why it has none. */
const TABLES: Record<string, [file: string, text: string] | string> = {
  account: [JSON_FILE, "balanceUsd"],
  account_token: [JSON_FILE, "Dashboard"],
  alias_use: [JSON_FILE, "svc-decider-latest"],
  api_key: [JSON_FILE, "=CI"],
  app_user: [JSON_FILE, "former-ada@export.example"],
  audit_event: ["audit.csv", "Created the key"],
  billing_details: [JSON_FILE, "Example Road 1"],
  auto_topup: [JSON_FILE, "7.000000000000"],
  budget: [JSON_FILE, "19.000000000000"],
  key_rules: [JSON_FILE, "17.000000000000"],
  email_change: [JSON_FILE, "next-ada@export.example"],
  invitation: [JSON_FILE, "joined@export.example"],
  user_identity: [JSON_FILE, "person of ada@export.example"],
  passkey: [JSON_FILE, "key of ada@export.example"],
  known_browser: [JSON_FILE, "2026-11-20T11:00:00.000Z"],
  ledger_entry: ["ledger/", "-0.000000000015"],
  member: [JSON_FILE, "ada@export.example"],
  outcome: ["outcomes.csv", `,"'=late",score,"m",0.75,1.5,2,0.05,2026-11-20T12:00:00.000Z,`],
  outcome_alarm: [JSON_FILE, "parcel is late"],
  outcome_switch: [JSON_FILE, '"keepsOutcomes": true'],
  shadow_account: [JSON_FILE, '"tokens": "4711"'],
  shadow_question: [JSON_FILE, "0.8125"],
  alias_stay: [JSON_FILE, "2099-05-06T00:00:00.000Z"],
  shadow_refusal: [JSON_FILE, '"comparesNewModels": false'],
  queued_mail: ["mails.csv", "key_created"],
  request_event: ["refused-requests.csv", ",402,insufficient_balance,7"],
  request_detail: ["request-details.csv", ',"svc-decider-latest",7,5,,,,,,1,'],
  saved_card: [JSON_FILE, "4242"],
  session: [JSON_FILE, "Firefox of the owner"],
  topup: ["payments.csv", "6.000000000000"],
  usage_error: ["errors-by-day.csv", ",402,insufficient_balance,1"],
  usage_sum: ["usage-by-day.csv", "0.000000000015"],
  tag_sum: ["usage-by-tag.csv", ',"team=search",'],
  webhook_delivery: ["webhook-deliveries.csv", `""threshold_usd"":""5.000000000000""`],
  webhook_endpoint: [JSON_FILE, "https://hooks.example/in"],

  account_anchor: "a checkpoint of the ledger",
  allowance: "the ledger has its credits and debits",
  charged_hold: "an index of the ledger",
  credit_grant: "requests in flight; account.json has what they hold",
  hold: "requests in flight; account.json has what they hold",
  idempotency_key: "hashes",
  kept_answer: "ids of what a program changed, for a day",
  invitation_mail: "counts mails for the limits; account.json has the invitations",
  key_anchor: "a checkpoint of the ledger",
  ledger_source: "an index of the ledger",
  past_address: "hashes",
  passkey_challenge: "what a passkey signs next, as hashes, for five minutes",
  identity_link: "links to confirm a person of the OpenID provider, as hashes",
  provider_logout: "logouts at the OpenID provider, as hashes, for an hour",
  sign_in_token: "links to sign in, as hashes",
  usage_mark: "how far the ledger is in the sums",

  _prisma_migrations: "of the service",
  _sql_functions: "of the service",
  allowance_rule: "of the service",
  alias_announcement: "of the service",
  shadow: "of the service",
  alias_move: "of the service",
  backup: "of the service",
  engine_use: "of the service",
  example_recording: "of the service",
  failed_stripe_event: "of the service",
  job_mark: "of the service",
  ledger_check: "of the service",
  ledger_checkpoint: "of the service",
  model: "of the service",
  model_address: "of the service",
  model_name: "of the service",
  model_order: "of the service",
  model_order_run: "of the service",
  operator: "of the service",
  operator_token: "of the service",
  server_process: "of the service",
  signing_key: "of the service",
  status_sum: "of the service",
  stripe_event_cursor: "of the service",
  tokenizer: "of the service",
  visitor_run: "hashes",
  write_check: "of the service",
}

it("has the rows of every table that are the account's or the user's, no secret, and nothing of another account", async () => {
  const [owner, other] = [await signUp("ada@export.example"), await signUp("eve@other.example")]
  const { secrets } = await fill(owner)
  await fill(other)
  await createKey(runtime(), other, { name: "Of Eve", limit: { period: "daily", amountUsd: "1" }, expiresAt: null })
  const files = await read(await streamExport(runtime(), owner))
  const { rows } = await query(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  )
  expect(Object.keys(TABLES).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  for (const [table, has] of Object.entries(TABLES)) {
    if (typeof has === "string") continue
    const [file, text] = has
    const found = Object.entries(files).find(([name]) => name.startsWith(file))?.[1]
    expect(found, `${table} in ${file}`).toContain(text)
  }
  const all = JSON.stringify(files)
  for (const secret of [...secrets, "eve@other", "Of Eve", publicId("acc", other.accountId)])
    expect(all).not.toContain(secret)
  expect(describeAudit((await listAudit(runtime(), owner)).lines[0] as never)).toBe("Exported the account's data")
})

it("is JSON and CSV that programs and spreadsheets can read", async () => {
  const owner = await signUp("bea@export.example")
  const month = new Date().toISOString().slice(0, 7)
  const { keyId } = await fill(owner)
  const files = await read(await streamExport(runtime(), owner))
  expect(Object.keys(files)).toEqual([
    "README.txt",
    "account.json",
    "payments.csv",
    `ledger/${month}.csv`,
    "usage-by-day.csv",
    "usage-by-tag.csv",
    "errors-by-day.csv",
    "refused-requests.csv",
    "request-details.csv",
    "outcomes.csv",
    "webhook-deliveries.csv",
    "mails.csv",
    "audit.csv",
  ])
  for (const name of Object.keys(files).filter((file) => file !== "README.txt"))
    expect(files["README.txt"]).toContain(name.replace(month, "YYYY-MM"))
  expect(JSON.parse(files["account.json"] ?? "")).toMatchObject({
    id: publicId("acc", owner.accountId),
    name: "bea@export.example",
    status: "active",
    balanceUsd: "4.999999999985",
    members: [{ email: "bea@export.example", role: "owner" }],
    keys: [{ id: keyId, name: "=CI" }, { name: "Playground" }],
    tokens: [{ name: "Dashboard", createdBy: owner.email, expiresAt: null }],
    webhooks: [{ url: "https://hooks.example/in", events: ["balance.low"], createdBy: owner.email }],
    autoTopup: {
      state: "on",
      terms: { thresholdUsd: "7.000000000000", amountUsd: "25.000000000000", capUsd: "100.000000000000" },
      card: { brand: "visa", last4: "4242", expMonth: 4, expYear: 2031, savedAt: "2026-11-20T10:00:00.000Z" },
    },
    user: { email: "bea@export.example", accounts: [{ role: "owner" }] },
  })
  expect(files[`ledger/${month}.csv`]).toContain(`,-0.000000000015,4.999999999985,"'=CI`)
  expect(files["payments.csv"]).toContain(",paid,5.000000000000,6.000000000000,0.000000000000,0.000000000000,\r\n")
  expect(files["usage-by-day.csv"]?.split("\r\n")[1]).toBe(
    `${new Date().toISOString().slice(0, 10)},${keyId},"m",1,5,0.000000000015`,
  )
  expect(files["audit.csv"]).toContain(`"Created the key “=CI”","bea@export.example"`)
})

it("has each row of a large table once, in order", async () => {
  const owner = await signUp()
  const { rows } = await query("SELECT id FROM api_key WHERE account_id = $1", [owner.accountId])
  // Many rows of one microsecond, so that batches end between equal times.
  await query(
    `INSERT INTO request_event (id, account_id, key_id, status, code, latency_ms, created_at)
     SELECT gen_random_uuid(), $1, $2, 402, 'insufficient_balance', n, '2026-11-20T10:00:00Z'::timestamptz + n / 700 * interval '1 microsecond'
     FROM generate_series(0, 2499) AS n`,
    [owner.accountId, rows[0].id],
  )
  const lines =
    (await read(await streamExport(runtime(), owner)))["refused-requests.csv"]?.trimEnd().split("\r\n").slice(1) ?? []
  const latencies = lines.map((line) => Number(line.split(",").at(-1)))
  expect(latencies.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, n) => n))
  expect(latencies.map((n) => Math.floor(n / 700))).toEqual(Array.from({ length: 2500 }, (_, n) => Math.floor(n / 700)))
})

it("allows at most two downloads of an account at a time", async () => {
  const owner = await signUp()
  const open = [await streamExport(runtime(), owner), await streamExport(runtime(), owner)]
  await expect(streamExport(runtime(), owner)).rejects.toMatchObject({ code: "rate_limited" })
  for (const stream of open) await stream.cancel()
  expect(runtime().downloads.size).toBe(0)
  await (await streamExport(runtime(), owner)).cancel()
})

it("frees the download when its audit entry could not be written", async () => {
  const owner = await signUp()
  await query("ALTER TABLE audit_event RENAME TO audit_event_away")
  for (const _ of [1, 2, 3]) await expect(streamExport(runtime(), owner)).rejects.toThrow("audit_event")
  await query("ALTER TABLE audit_event_away RENAME TO audit_event")
  expect(await read(await streamExport(runtime(), owner))).toHaveProperty("README.txt")
})
