import type { ClientBase } from "pg"
import { rememberAddress } from "@/lib/server/accounts/past-addresses"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { KEY_TEXT_COLUMNS } from "@/lib/shared/keys/key-texts"

// Who did what stays. A sign-in's detail is the browser's name, and that of a change of address has both addresses.
const AUDIT = `
  UPDATE audit_event SET client_address = NULL,
    detail = CASE WHEN action LIKE 'session.%' OR action = 'user.email' THEN NULL ELSE detail END`

// Requests of a closed account are refused, so its keys only have to stay apart in the ledger. Their shortened secret does that.
const KEYS = `
  UPDATE api_key SET revoked_at = coalesce(revoked_at, ledger_now()), ${KEY_TEXT_COLUMNS.map((column) => `${column} = NULL`).join()},
    name = CASE kind WHEN 'secret' THEN 'Key' ELSE name END, models = '{}', routes = '{}', networks = '{}', tags = '{}'
  WHERE account_id = $1`

const ACCOUNT = `
  UPDATE account SET name = NULL, named_after = NULL, low_balance_pico = NULL, inactive_since = ledger_now() WHERE id = $1`

const OF_ACCOUNT = [
  // A program that changes a key locks the key first, and then its token and the member who created it.
  "SELECT FROM api_key WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE",
  "DELETE FROM account_token WHERE account_id = $1",
  "DELETE FROM billing_details WHERE account_id = $1",
  "DELETE FROM key_rules WHERE account_id = $1",
  "DELETE FROM budget WHERE account_id = $1",
  "DELETE FROM shadow_refusal WHERE account_id = $1",
  "DELETE FROM alias_stay WHERE account_id = $1",
  // In the order in which the servers that add to the figures lock them.
  "DELETE FROM shadow_account WHERE account_id = $1",
  "DELETE FROM shadow_question WHERE account_id = $1",
  // The outcomes go after the commit: there may be too many for one statement. No more can be stored.
  "UPDATE outcome_switch SET is_on = false WHERE account_id = $1",
  // From here on no message can be queued for the endpoints, which would keep them from being deleted.
  "SELECT FROM webhook_endpoint WHERE account_id = $1 FOR UPDATE",
  "DELETE FROM webhook_delivery WHERE account_id = $1",
  "DELETE FROM webhook_endpoint WHERE account_id = $1",
  "DELETE FROM invitation WHERE account_id = $1",
  "DELETE FROM invitation_mail WHERE account_id = $1",
  // Farewells stay until they are sent, for a day at most.
  "DELETE FROM queued_mail WHERE account_id = $1 AND user_id IS NOT NULL",
  "DELETE FROM member WHERE account_id = $1",
  `${AUDIT} WHERE account_id = $1 AND (actor LIKE 'user:%' OR actor LIKE 'token:%')`,
  // Last, because the keys can be used until the commit, and the times say when that ended.
  KEYS,
  ACCOUNT,
]

/**
 * Erases what people wrote into a closed account and who was in it, in the transaction of `client`. Ledger, payments, usage sums and
 * who did what, by id, stay. The caller erases the outcomes after the commit; a job does if the process ends before.
 */
export async function eraseAccount(client: ClientBase, accountId: string): Promise<void> {
  for (const statement of OF_ACCOUNT) await client.query(statement, [accountId])
}

const OF_USER = [
  "DELETE FROM session WHERE user_id = $1::uuid",
  "DELETE FROM user_identity WHERE user_id = $1::uuid",
  "DELETE FROM identity_link WHERE user_id = $1::uuid",
  "DELETE FROM known_browser WHERE user_id = $1::uuid",
  "DELETE FROM passkey_challenge WHERE user_id = $1::uuid",
  "DELETE FROM passkey WHERE user_id = $1::uuid",
  "DELETE FROM queued_mail WHERE user_id = $1::uuid",
  "DELETE FROM email_change WHERE user_id = $1::uuid",
  "DELETE FROM queued_mail WHERE kind = 'address_changed' AND facts->>'byUserId' = $1::text",
  "DELETE FROM member WHERE user_id = $1::uuid",
  `${AUDIT} WHERE actor IN ('user:' || $1::text, 'operator:' || $1::text)`,
  // Top-ups, keys and the audit log name the row, so it stays. The text is no address, so nobody can sign in with it.
  `UPDATE app_user SET email = 'deleted-user-' || right($1::text, 8), email_verified_at = NULL, erased_at = now()
   WHERE id = $1::uuid`,
]

const OF_ADDRESS = [
  "DELETE FROM sign_in_token WHERE email = $1",
  "DELETE FROM operator WHERE email = $1",
  "DELETE FROM invitation WHERE email = $1",
  "DELETE FROM invitation_mail WHERE email = $1",
  "DELETE FROM email_change WHERE new_email = $1",
  // Also mails to other people, such as one about a new member.
  "DELETE FROM queued_mail WHERE address = $1 OR strpos(facts::text, $1) > 0",
]

// Another person may have a past address by now, and that person's rows stay.
const PAST = `
  SELECT p.email FROM app_user u CROSS JOIN unnest(u.past_emails) AS p(email)
  WHERE u.id = $1 AND NOT EXISTS (SELECT FROM app_user o WHERE o.email = p.email)`

// A revoked token has no row, so the audit log says whose it was.
const TOKENS = "SELECT subject FROM audit_event WHERE actor = 'user:' || $1::text AND action = 'token.create'"

/** Erases the addresses from which programs used the account tokens that a user created. */
async function eraseTokenAddresses(client: ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<Row<"AuditEvent", "subject">>(TOKENS, [userId])
  const ids = rows.flatMap(({ subject }) => parsePublicId("tok", subject ?? "") ?? [])
  await client.query(`${AUDIT} WHERE actor = ANY ($1)`, [ids.map((id) => `token:${id}`)])
}

/**
 * Erases a user's personal data, past addresses included, in the transaction of `client`. What the ledger and the audit log
 * name is kept under the user's id. A keyed hash of the address is kept, so that it gets no second welcome credit.
 */
export async function eraseUser(
  runtime: Pick<Runtime, "env">,
  client: ClientBase,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await rememberAddress(runtime, client, email)
  const { rows: past } = await client.query<Row<"SignInToken", "email">>(PAST, [userId])
  for (const statement of OF_USER) await client.query(statement, [userId])
  await eraseTokenAddresses(client, userId)
  for (const address of [email, ...past.map((row) => row.email)])
    for (const statement of OF_ADDRESS) await client.query(statement, [address])
}
