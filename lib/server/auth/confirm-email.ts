import type { PoolClient } from "pg"
import { rememberAddress } from "@/lib/server/accounts/past-addresses"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueFarewell } from "@/lib/server/mail/queue-mail"
import { VISITOR } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { emailTokenHashes } from "./change-email"
import { recordSignIn } from "./sign-in-events"

/**
 * `half`: the other address still has to confirm. `changed`: both have, and the user signs in with the new address. `taken`: another
 * user has the new address. `invalid_link`: the link is unknown or expired, or its change was cancelled, replaced or refused.
 */
export type EmailConfirmation = "half" | "changed" | "taken" | "invalid_link"

type ChangeRow = Row<"EmailChange", "id" | "user_id" | "new_email" | "ended_at"> & { is_done: boolean }

const FIND = "SELECT user_id FROM email_change WHERE old_token_hash = ANY ($1) OR new_token_hash = ANY ($1)"

const CONFIRM = `
  UPDATE email_change SET
    old_confirmed_at = CASE WHEN old_token_hash = ANY ($1) THEN coalesce(old_confirmed_at, now()) ELSE old_confirmed_at END,
    new_confirmed_at = CASE WHEN new_token_hash = ANY ($1) THEN coalesce(new_confirmed_at, now()) ELSE new_confirmed_at END
  WHERE (old_token_hash = ANY ($1) OR new_token_hash = ANY ($1)) AND (ended_at IS NULL AND expires_at > now()
    OR old_confirmed_at IS NOT NULL AND new_confirmed_at IS NOT NULL)
  RETURNING id, user_id, new_email, ended_at, old_confirmed_at IS NOT NULL AND new_confirmed_at IS NOT NULL AS is_done`

/** A trigger adds the previous address to `past_emails`, so that deleting the user also erases the rows with that address. */
const MOVE = "UPDATE app_user SET email = $2, email_verified_at = now() WHERE id = $1"

/** Changes the user's address. Both addresses were confirmed. Returns the previous address; null when another user has the new one. */
async function move(
  runtime: Runtime,
  client: PoolClient,
  { user_id: userId, new_email: newEmail }: ChangeRow,
): Promise<string | null> {
  const { rows } = await client.query<Row<"User", "email">>("SELECT email FROM app_user WHERE id = $1", [userId])
  const before = rows[0]?.email
  const taken = await client.query("SELECT FROM app_user WHERE email = $1", [newEmail])
  if (before === undefined || taken.rowCount) return null
  await client.query(MOVE, [userId, newEmail])
  // An admin invited the person at the previous address, and no admin checked the new one.
  await client.query("DELETE FROM operator WHERE email = $1", [before])
  await client.query("UPDATE sign_in_token SET expires_at = '-infinity' WHERE email = $1", [before])
  // Otherwise the reader of the previous mailbox could still let a person of the OpenID provider sign in as the user.
  await client.query("UPDATE identity_link SET expires_at = '-infinity' WHERE user_id = $1", [userId])
  await rememberAddress(runtime, client, before)
  return before
}

/** Records the change in every account of the user, with both addresses, and queues a mail to the previous address. */
async function reportMove(
  client: PoolClient,
  { user_id: userId, new_email: newEmail }: ChangeRow,
  { before, clientAddress }: { before: string; clientAddress: string | null },
): Promise<void> {
  const { rows } = await client.query<Row<"Member", "account_id">>(
    "SELECT account_id FROM member WHERE user_id = $1 ORDER BY created_at",
    [userId],
  )
  const [first] = rows
  if (first)
    await queueFarewell(client, {
      accountId: first.account_id,
      kind: "address_changed",
      to: [before],
      byUserId: userId,
    })
  for (const { account_id: accountId } of rows) {
    const actor = { ...VISITOR, userId, accountId, clientAddress }
    await recordAudit(client, actor, {
      action: "user.email",
      subject: publicId("usr", userId),
      detail: `${before} ${newEmail}`,
    })
  }
}

async function confirmIn(
  runtime: Runtime,
  client: PoolClient,
  token: string,
  clientAddress: string | null,
): Promise<EmailConfirmation> {
  const hashes = emailTokenHashes(runtime, token)
  const found = await client.query<Row<"EmailChange", "user_id">>(FIND, [hashes])
  // The user's lock makes two confirmations run one after the other, so that the second sees the first.
  await client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [found.rows[0]?.user_id])
  const { rows } = await client.query<ChangeRow>(CONFIRM, [hashes])
  const [change] = rows
  if (!change) return "invalid_link"
  if (!change.is_done) return "half"
  if (change.ended_at !== null) return "changed"
  const before = await move(runtime, client, change)
  await client.query(
    "UPDATE email_change SET ended_at = now(), new_confirmed_at = CASE WHEN $2 THEN new_confirmed_at END WHERE id = $1",
    [change.id, before !== null],
  )
  if (before === null) return "taken"
  await reportMove(client, change, { before, clientAddress })
  return "changed"
}

/** Confirms one of the two addresses of a change, in any browser. The second confirmation makes the change. */
export async function confirmEmail(
  runtime: Runtime,
  token: string,
  clientAddress: string | null,
): Promise<EmailConfirmation> {
  const outcome = await inTransaction(runtime.pool, (client) => confirmIn(runtime, client, token, clientAddress))
  const event = outcome === "invalid_link" ? "sign_in.link_refused" : "sign_in.link_used"
  recordSignIn(runtime, event, { clientAddress, reason: "email_change" })
  return outcome
}
