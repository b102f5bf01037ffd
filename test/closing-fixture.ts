import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { requestEmailChange } from "@/lib/server/auth/change-email"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { createKey } from "@/lib/server/keys/create-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { inviteMember } from "@/lib/server/members/invitations"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { pico } from "@/lib/shared/money"
import { signUp } from "./sign-up"

const USD = 1_000_000_000_000n

export const query = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

/** Signs the user in with a session of its own, from an address that tests search for. */
export async function sessionOf({ userId }: UserActor): Promise<UserActor> {
  const token = newSessionToken()
  await query(
    `INSERT INTO session (id, token_hash, user_id, expires_at, browser, client_address)
     VALUES ($1, $2, $3, now() + interval '1 day', 'Firefox on Linux', '203.0.113.77')`,
    [newId(), hashSessionToken(token), userId],
  )
  return (await actorOfCookies(runtime(), `svcd-session=${token}`, "203.0.113.77")) as UserActor
}

/** Signs up with something in every table that names a person. */
export async function signUpWithEverything(email: string) {
  const owner = await sessionOf(await signUp(email, "203.0.113.77"))
  await postEntry(runtime().pool, {
    accountId: owner.accountId,
    kind: "credit",
    amountPico: pico(5n * USD),
    source: newId(),
  })
  const texts = mapKeyTexts((name) => `${name} of ${email}`)
  const { id, token } = await createKey(runtime(), owner, {
    name: `Laptop of ${email}`,
    limit: null,
    expiresAt: null,
    ...texts,
  })
  const { token: accountToken } = await createAccountToken(runtime(), owner, {
    name: `Token of ${email}`,
    expiresAt: null,
  })
  await query("UPDATE account SET name = $2 WHERE id = $1", [owner.accountId, `${email.split("@")[0]} team`])
  await inviteMember(runtime(), owner, { email: `friend-of-${email}`, role: "viewer" })
  await requestEmailChange(runtime(), owner, { email: `new-${email}` })
  const endpoint = newId()
  await query(
    "INSERT INTO webhook_endpoint (id, account_id, url, events, secret) VALUES ($1, $2, $3, '{balance.low}', $4)",
    [endpoint, owner.accountId, `https://hooks.example/${email}`, Buffer.alloc(32)],
  )
  await query(
    "INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body) VALUES ($1, $2, $3, 'balance.low', $4, $5)",
    [newId(), owner.accountId, endpoint, newId(), JSON.stringify({ email })],
  )
  await query("INSERT INTO sign_in_token (token_hash, email, expires_at) VALUES ($1, $2, now())", [newId(), email])
  await query(
    "INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status) VALUES ($1, $2, $3, 500, 500, 'paid')",
    [newId(), owner.accountId, owner.userId],
  )
  const keyId = parsePublicId("key", id) ?? ""
  const hold = { id: newId(), actor: { accountId: owner.accountId, keyId }, modelId: "m", pricePico: pico(1) }
  await placeHold(runtime(), { ...hold, maxTokens: 10 })
  await capture(
    runtime(),
    { id: hold.id, accountId: owner.accountId },
    { tokens: 5, latencyMs: 1, questionCounts: { noul: 1 } },
  )
  await query("INSERT INTO outcome_switch (account_id, is_on) VALUES ($1, true)", [owner.accountId])
  await query(
    `INSERT INTO outcome (account_id, request_id, question, type, model_id, predicted, outcome, known_at)
     VALUES ($1, $2, $3, 'noul', 'm', 0.5, 1, now())`,
    [owner.accountId, hold.id, `question of ${email}`],
  )
  await query(
    `INSERT INTO outcome_alarm (id, account_id, question, type, model_id, claim)
     VALUES ($1, $2, $3, 'noul', 'm', 'calibration')`,
    [newId(), owner.accountId, `question of ${email}`],
  )
  await query("INSERT INTO shadow_refusal (account_id) VALUES ($1)", [owner.accountId])
  await query(
    "INSERT INTO alias_stay (account_id, alias_id, model_id, until_at) SELECT $1, id, id, now() + interval '1 day' FROM model WHERE id = 'm'",
    [owner.accountId],
  )
  return { owner, token, accountToken, name: `${email.split("@")[0]} team` }
}

/** Returns the columns of the whole database, partitions included, in whose text a part occurs. */
export async function columnsWith(part: string): Promise<string[]> {
  const { rows } = await query(
    `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'character varying', 'jsonb', 'json', 'ARRAY', 'bytea')`,
  )
  const found: string[] = []
  for (const { table_name: table, column_name: column } of rows as Record<string, string>[]) {
    const text = `SELECT FROM "${table}" WHERE strpos(lower("${column}"::text), lower($1)) > 0 LIMIT 1`
    if ((await query(text, [part])).rowCount) found.push(`${table}.${column}`)
  }
  return found.toSorted()
}

/** Returns the status and the balance of an account. */
export const balanceOf = async (accountId: string) =>
  (await query("SELECT status, balance_pico FROM account WHERE id = $1", [accountId])).rows
