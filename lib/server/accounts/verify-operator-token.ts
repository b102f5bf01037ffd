import { hashBearer } from "@/lib/server/keys/secret"
import type { OperatorActor } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { OperatorRole } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { authorityNow } from "./operator-tokens"

const VERIFY = `
  SELECT t.id, t.rights, t.created_by, u.email, (SELECT o.role FROM operator o WHERE o.email = u.email) AS operator_role,
    coalesce(t.last_used_at < now() - interval '1 minute', true) AS is_stale
  FROM operator_token t LEFT JOIN app_user u ON u.id = t.created_by AND u.erased_at IS NULL
  WHERE t.secret_sha256 = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`

type Found = Row<"OperatorToken", "id" | "rights" | "created_by"> &
  Nullable<Row<"User", "email">> & { operator_role: OperatorRole | null; is_stale: boolean }

/**
 * Returns the actor of an `Authorization` header with an operator's token, and saves when it was used, to the minute. Reads the token and
 * its creator each time, so that a revocation and the end of a role take effect at once. `client` is what rate limits count as one, and
 * `clientAddress` is for the audit log. Throws `invalid_api_key` when the token is missing, unknown, expired or revoked, or its creator
 * no longer operates the service.
 */
export async function verifyOperatorToken(
  runtime: Runtime,
  authorization: string | undefined,
  { client, clientAddress }: { client: string; clientAddress: string | null },
): Promise<OperatorActor> {
  const { pool, keys } = runtime
  const sha256 = hashBearer("svca_", authorization)
  const [found] = sha256 ? (await keys.lookUp(client, () => pool.query<Found>(VERIFY, [sha256]))).rows : []
  const authority = found ? authorityNow(runtime, found) : null
  if (!found || !authority)
    throw new ServiceError("invalid_api_key", {
      message: "The operator's token is missing, invalid, expired or revoked.",
    })
  if (found.is_stale) await pool.query("UPDATE operator_token SET last_used_at = now() WHERE id = $1", [found.id])
  const { id, created_by: userId } = found
  const { role, rights } = authority
  return { type: "operator", accountId: null, role, userId, token: { id, rights }, clientAddress }
}
