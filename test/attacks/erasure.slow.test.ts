import { beforeAll, describe, expect, test } from "vitest"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { closeAccount } from "@/lib/server/closing/close-account"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { columnsWith, query, sessionOf, signUpWithEverything } from "../closing-fixture"
import { testRuntime } from "../database"
import { insertModel } from "../insert-rows"
import { keepMails } from "../keep-mails"
import { signUp } from "../sign-up"

beforeAll(async () => {
  await testRuntime()
  await insertModel("m")
  keepMails()
})

/** Every column of a table, partitions left out, that can hold a text. */
const COLUMNS = `
  SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  JOIN pg_class p ON p.relname = c.table_name AND p.relnamespace = 'public'::regnamespace
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT p.relispartition
    AND (data_type IN ('text', 'character varying', 'jsonb', 'json') OR udt_name = '_text')`

/** The erasure finds rows of the audit log by these. The service writes them, without texts of people. */
const FOUND_BY = ["audit_event.action", "audit_event.actor"]

/** Texts of the service in columns that also hold texts of people. */
const OF_SERVICE = [
  "UPDATE api_key SET name = 'Playground' WHERE kind = 'playground'",
  "UPDATE audit_event SET detail = NULL WHERE action NOT LIKE 'session.%' AND action <> 'user.email'",
]

const MARK = "$4 || gen_random_uuid()::text"
const VALUES: Record<string, string> = {
  ARRAY: `ARRAY[${MARK}]`,
  json: `json_build_array(${MARK})`,
  jsonb: `jsonb_build_array(${MARK})`,
}
const CHECK_VIOLATION = "23514"

/** Writes the mark into every column of the user's and the account's rows that the database lets hold any text. */
async function markRows({ accountId, userId, email }: UserActor, mark: string): Promise<void> {
  const { rows } = await query(COLUMNS)
  const client = await runtime().pool.connect()
  // Without triggers, rows of the ledger and the audit log can be changed.
  await client.query("SET session_replication_role = replica")
  for (const { table, column, type } of rows.filter((row) => !FOUND_BY.includes(`${row.table}.${row.column}`))) {
    const marking = `
      UPDATE "${table}" t SET "${column}" = ${VALUES[type] ?? MARK}
      WHERE strpos(coalesce("${column}"::text, ''), $4::text) = 0 AND t::text ~ concat_ws('|', $1::text, $2::text, $3::text)`
    await client.query(marking, [accountId, userId, email, mark]).catch((error) => {
      if (error.code !== CHECK_VIOLATION) throw error
    })
  }
  for (const statement of OF_SERVICE) await client.query(statement)
  await client.query("RESET session_replication_role")
  client.release()
}

/** Returns the columns with the mark by table, each partitioned table as one. */
async function marked(mark: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of new Set(
    (await columnsWith(mark)).map((column) => column.replace(/_(?:\d{4}(?:_\d\d)+|default)\./, ".")),
  )) {
    const [table = "", column = ""] = name.split(".")
    found[table] = found[table] ? `${found[table]} ${column}` : column
  }
  return found
}

/** Signs up a user with rows in every table that names one or an account, and writes the mark into each. */
async function signUpMarked(mark: string): Promise<UserActor> {
  const { owner } = await signUpWithEverything(`${mark}@erased.example`)
  await query(
    `INSERT INTO saved_card (payment_method_id, account_id, user_id, brand, last4, exp_month, exp_year, entered_at, removed_at)
     VALUES ($1, $2, $3, 'visa', '4242', 1, 2030, now(), now())`,
    [newId(), owner.accountId, owner.userId],
  )
  await query(
    "INSERT INTO billing_details (account_id, company, address, vat_id, purchase_order) VALUES ($1, '', '', '', '')",
    [owner.accountId],
  )
  await query("INSERT INTO user_identity (id, user_id, issuer, subject) VALUES ($1, $2, 'https://id.example', 'ada')", [
    newId(),
    owner.userId,
  ])
  await query(
    `INSERT INTO identity_link (token_hash, user_id, issuer, subject, browser_sha256, expires_at)
     VALUES ('hash', $1, 'https://id.example', 'ada', '', now() + interval '1 hour')`,
    [owner.userId],
  )
  await query(
    "INSERT INTO passkey (id, user_id, credential_id, public_key, counter, name) VALUES ($1, $2, $3, '', 0, 'Laptop')",
    [newId(), owner.userId, Buffer.from(newId())],
  )
  await query(
    `INSERT INTO passkey_challenge (session_id, purpose, user_id, challenge_sha256, expires_at)
     VALUES ($1, 'add', $2, '', now() + interval '5 minutes')`,
    [owner.sessionId, owner.userId],
  )
  for (const action of ["session.create", "user.email"] as const)
    await recordAudit(runtime().pool, owner, { action, detail: "Firefox on Linux" })
  await markRows(owner, mark)
  return owner
}

/** Adds the user to an account of others, whose invitation and mails name the user. */
async function joinOthers(user: UserActor, mark: string): Promise<void> {
  const team = await signUp()
  const { id } = await inviteMember(runtime(), team, { email: user.email, role: "developer" })
  await acceptInvitation(runtime(), await sessionOf(user), { id })
  await query(
    `INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts) VALUES ($1, $2, $3, 'member_joined', $4, $5)`,
    [newId(), team.accountId, team.userId, newId(), { email: user.email }],
  )
  await markRows(user, mark)
}

/** What stays of a closed account and a deleted user: no text that they wrote. */
const KEPT = {
  // Payments stay for the accounts. Stripe writes their ids and links, and what a card shows.
  account: "stripe_customer_id",
  saved_card: "brand last4 payment_method_id",
  topup: "checkout_url payment_intent_id payment_method_id receipt_url session_id",
  // The ledger stays. Models, counts and sources are the service's texts, and notes are the operator's. Tags name cost centres.
  hold: "model_id tags",
  ledger_entry: "model_id note question_counts tags",
  ledger_source: "source",
  // The id of what was changed.
  audit_event: "subject",
}

/** The user's own texts, which stay until the user is deleted. */
const OF_USER = {
  app_user: "email past_emails",
  email_change: "new_email new_token_hash old_token_hash",
  identity_link: "issuer subject token_hash",
  passkey: "name transports",
  sign_in_token: "client_address email networks token_hash",
  user_identity: "issuer subject",
}

const EVERYTHING = {
  ...{ ...KEPT, ...OF_USER },
  account: "name stripe_customer_id",
  account_token: "masked name rights",
  alias_stay: "alias_id model_id",
  api_key: "models name networks note routes tags",
  audit_event: "client_address detail subject",
  billing_details: "address company purchase_order vat_id",
  invitation: "email",
  invitation_mail: "client_address email",
  member: "muted_mail",
  outcome: "model_id question type",
  outcome_alarm: "model_id question type",
  queued_mail: "facts kind source",
  session: "browser client_address oidc_sid",
  webhook_delivery: "body last_fault source type",
  webhook_endpoint: "events url",
}

describe("of a mark in every text of an account and its owner", () => {
  test("closing the account leaves none but in payments, the ledger and the owner's own rows", async () => {
    const owner = await signUpMarked("kestrel")
    expect(await marked("kestrel")).toEqual(EVERYTHING)
    const { rows } = await query("SELECT account_name($1) AS name", [owner.accountId])
    await closeAccount(runtime(), owner, { name: rows[0].name })
    await sendQueuedMail(runtime())
    expect(await marked("kestrel")).toEqual({ ...KEPT, ...OF_USER })
  })

  test("deleting the user, who is in another account too, leaves none but in payments and the ledger", async () => {
    const owner = await signUpMarked("osprey")
    await joinOthers(owner, "osprey")
    expect(await marked("osprey")).toEqual(EVERYTHING)
    await deleteUser(runtime(), owner, { email: owner.email })
    await sendQueuedMail(runtime())
    expect(await marked("osprey")).toEqual(KEPT)
  })
})
