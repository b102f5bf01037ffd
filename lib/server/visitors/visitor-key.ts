import type { PoolClient } from "pg"
import { createAccount } from "@/lib/server/accounts/create-account"
import { recordAudit } from "@/lib/server/audit/record-audit"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { newSecret } from "@/lib/server/keys/secret"
import { findKeyOfOwner } from "@/lib/server/keys/verify-key"
import { NOTICES } from "@/lib/server/mail/notices"
import { OPERATOR, operatorFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, parseUsd } from "@/lib/shared/money"

/** Names the account that pays for visitors. Mail never reaches the domain, so nobody can sign in with it. */
const VISITORS = "visitors@service.invalid"
/** What visitors may spend in a UTC day, in pico-USD. */
export const DAILY_LIMIT = parseUsd("1.00") as Pico

/**
 * Returns the key that pays for visitors, and creates it with its account at the first visit. Throws `not_found` once the operator
 * revoked or paused it, or suspended its account.
 */
export async function findVisitorKey(runtime: Runtime): Promise<KnownKey> {
  const known = await findKeyOfOwner(runtime, VISITORS)
  if (known) return known
  await createVisitorKey(runtime)
  const key = await findKeyOfOwner(runtime, VISITORS)
  if (!key)
    throw new ServiceError("not_found", { message: "Trying without an account is closed. Sign in to continue." })
  return key
}

/** Changes nothing when there was a key before: one that the operator ended is not replaced. */
async function createVisitorKey(runtime: Runtime): Promise<void> {
  const { accountId } = await createAccount(runtime, OPERATOR, { email: VISITORS })
  await inTransaction(runtime.pool, async (client) => {
    // Visitors who come at once wait here, so that only one of them creates the key.
    await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId])
    const { rowCount } = await client.query("SELECT FROM api_key WHERE account_id = $1 AND kind = 'secret'", [
      accountId,
    ])
    if (!rowCount) await insertKey(client, accountId)
  })
}

/** Inserts the key without a mail about it, and turns off the account's other mails. Nobody gets its secret. */
async function insertKey(client: PoolClient, accountId: string): Promise<void> {
  const id = newId()
  const { sha256, masked } = newSecret("svcd_")
  await client.query(
    `INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256, limit_pico, limit_period)
     VALUES ($1, $2, 'secret', 'Visitors', $3, $4, $5, 'daily')`,
    [id, accountId, masked, sha256, DAILY_LIMIT],
  )
  const muted = Object.entries(NOTICES).flatMap(([kind, { isSecurity }]) => (isSecurity ? [] : [kind]))
  await client.query("UPDATE member SET muted_mail = $2 WHERE account_id = $1", [accountId, muted])
  await recordAudit(client, operatorFor(accountId), { action: "key.create", subject: publicId("key", id) })
}
