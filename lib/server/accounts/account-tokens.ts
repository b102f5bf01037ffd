import { recordAudit } from "@/lib/server/audit/record-audit"
import { hashBearer, newSecret } from "@/lib/server/keys/secret"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireRight, type TokenActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type {
  AccountToken,
  CreatedAccountToken,
  CreateTokenInput,
  RevokeTokenInput,
} from "@/lib/shared/accounts/schema"
import { ServiceError } from "@/lib/shared/errors"

/** How many tokens an account can have at a time. */
export const MAX_TOKENS = 20

interface TokenRow {
  id: string
  name: string
  masked: string
  created_at: Date
  last_used_at: Date | null
}

/** Returns the account's tokens without their secrets, newest first. Needs `tokens.manage`. */
export async function listAccountTokens({ pool }: Runtime, actor: AccountActor): Promise<AccountToken[]> {
  requireRight(actor, "tokens.manage")
  const { rows } = await pool.query<TokenRow>(
    "SELECT id, name, masked, created_at, last_used_at FROM account_token WHERE account_id = $1 ORDER BY id DESC",
    [actor.accountId],
  )
  return rows.map(({ id, name, masked, created_at, last_used_at }) => ({
    id: publicId("tok", id),
    name,
    masked,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

/**
 * Creates a token that reads the actor's account. The returned text is the only copy of the secret. Throws `rate_limited` for
 * the 21st token of an account, and `forbidden` for a suspended or closed account.
 */
export async function createAccountToken(
  { pool }: Runtime,
  actor: AccountActor,
  { name }: CreateTokenInput,
): Promise<CreatedAccountToken> {
  requireRight(actor, "tokens.manage")
  const id = newId()
  const { token, sha256, masked } = newSecret("svct_")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    const { rowCount } = await client.query("SELECT FROM account_token WHERE account_id = $1", [actor.accountId])
    if (rowCount === MAX_TOKENS)
      throw new ServiceError("rate_limited", {
        message: `An account can have ${MAX_TOKENS} tokens. Revoke one that is not used.`,
      })
    await client.query(
      "INSERT INTO account_token (id, account_id, name, masked, secret_sha256) VALUES ($1, $2, $3, $4, $5)",
      [id, actor.accountId, name, masked, sha256],
    )
    await recordAudit(client, actor, { action: "token.create", subject: publicId("tok", id) })
  })
  return { id: publicId("tok", id), name, token }
}

/** Revokes a token of the actor's account: its next request is refused. Throws `not_found` for any other id. */
export async function revokeAccountToken(
  { pool }: Runtime,
  actor: AccountActor,
  { id }: RevokeTokenInput,
): Promise<{ id: string }> {
  requireRight(actor, "tokens.manage")
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query("DELETE FROM account_token WHERE id = $1 AND account_id = $2", [
      parsePublicId("tok", id),
      actor.accountId,
    ])
    if (!rowCount) throw new ServiceError("not_found", { message: "There is no such token." })
    await recordAudit(client, actor, { action: "token.revoke", subject: id })
  })
  return { id }
}

const VERIFY = `
  SELECT t.id, t.account_id, coalesce(t.last_used_at < now() - interval '1 minute', true) AS is_stale
  FROM account_token t JOIN account a ON a.id = t.account_id
  WHERE t.secret_sha256 = $1 AND a.status = 'active'`

/**
 * Returns the actor of an `Authorization` header with an account token, and saves when it was used, to the minute. Reads the
 * token each time, so that a revocation takes effect at once. Throws `invalid_api_key` when the token is missing, unknown or
 * revoked, or its account is suspended or closed.
 */
export async function verifyAccountToken({ pool }: Runtime, authorization: string | undefined): Promise<TokenActor> {
  const sha256 = hashBearer("svct_", authorization)

  const { rows } = sha256
    ? await pool.query<{ id: string; account_id: string; is_stale: boolean }>(VERIFY, [sha256])
    : { rows: [] }
  const [found] = rows
  if (!found)
    throw new ServiceError("invalid_api_key", { message: "The account token is missing, invalid or revoked." })
  if (found.is_stale) await pool.query("UPDATE account_token SET last_used_at = now() WHERE id = $1", [found.id])
  return { type: "token", accountId: found.account_id, tokenId: found.id, clientAddress: null }
}
