import { hashBearer } from "@/lib/server/keys/secret"
import type { TokenActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { tokenRightsNow } from "@/lib/shared/accounts/token-scopes"
import { ServiceError } from "@/lib/shared/errors"

const VERIFY = `
  SELECT t.id, t.account_id, t.rights, t.created_by, m.role, coalesce(t.last_used_at < now() - interval '1 minute', true) AS is_stale
  FROM account_token t JOIN account a ON a.id = t.account_id
    LEFT JOIN member m ON m.account_id = t.account_id AND m.user_id = t.created_by
  WHERE t.secret_sha256 = $1 AND a.status = 'active' AND (t.expires_at IS NULL OR t.expires_at > now())`

type Found = Row<"AccountToken", "id" | "account_id" | "rights" | "created_by"> & {
  role: Role | null
  is_stale: boolean
}

/**
 * Returns the actor of an `Authorization` header with an account token, and saves when it was used, to the minute. Reads the token and
 * its creator's role each time, so that a revocation and the end of a role take effect at once. `client` is what rate limits count as
 * one, and `clientAddress` is for the audit log. Throws `invalid_api_key` when the token is missing, unknown, expired or revoked, when
 * its scopes ended, or its account is suspended or closed.
 */
export async function verifyAccountToken(
  { pool, keys }: Runtime,
  authorization: string | undefined,
  client: string,
  clientAddress: string | null = null,
): Promise<TokenActor> {
  const sha256 = hashBearer("svct_", authorization)
  const [found] = sha256 ? (await keys.lookUp(client, () => pool.query<Found>(VERIFY, [sha256]))).rows : []
  const rights = found ? tokenRightsNow(found.rights, found.role) : []
  if (!found || rights.length === 0)
    throw new ServiceError("invalid_api_key", { message: "The account token is missing, invalid, expired or revoked." })
  if (found.is_stale) await pool.query("UPDATE account_token SET last_used_at = now() WHERE id = $1", [found.id])
  const { id: tokenId, account_id: accountId, created_by: userId } = found
  return { type: "token", accountId, tokenId, userId, rights, clientAddress }
}
