import { hashBearer } from "@/lib/server/keys/secret"
import type { TokenActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

const VERIFY = `
  SELECT t.id, t.account_id, coalesce(t.last_used_at < now() - interval '1 minute', true) AS is_stale
  FROM account_token t JOIN account a ON a.id = t.account_id
  WHERE t.secret_sha256 = $1 AND a.status = 'active' AND (t.expires_at IS NULL OR t.expires_at > now())`

/**
 * Returns the actor of an `Authorization` header with an account token, and saves when it was used, to the minute. Reads the
 * token each time, so that a revocation takes effect at once. Clients take turns: `client` is what rate limits count as one. Throws `invalid_api_key` when the token is
 * missing, unknown, expired or revoked, or its account is suspended or closed.
 */
export async function verifyAccountToken(
  { pool, keys }: Runtime,
  authorization: string | undefined,
  client: string,
): Promise<TokenActor> {
  const sha256 = hashBearer("svct_", authorization)
  const find = () => pool.query<Row<"AccountToken", "id" | "account_id"> & { is_stale: boolean }>(VERIFY, [sha256])
  const [found] = sha256 ? (await keys.lookUp(client, find)).rows : []
  if (!found)
    throw new ServiceError("invalid_api_key", { message: "The account token is missing, invalid, expired or revoked." })
  if (found.is_stale) await pool.query("UPDATE account_token SET last_used_at = now() WHERE id = $1", [found.id])
  return { type: "token", accountId: found.account_id, tokenId: found.id, clientAddress: null }
}
