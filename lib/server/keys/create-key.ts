import { recordAudit } from "@/lib/server/audit/record-audit"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { ServiceError } from "@/lib/shared/errors"
import type { CreatedKey, CreateKeyInput } from "@/lib/shared/keys/schema"
import { parseUsd } from "@/lib/shared/money"
import { newKeyToken } from "./token"

const MOST_AN_HOUR = 100

/** Whose key it becomes and who is named in the audit log: a signed-in user, or the operator. */
export interface KeyOwner {
  accountId: string
  /** `user:<id>` or `operator`. */
  auditAs: string
  clientAddress: string | null
}

/** Makes a key for an account the caller has authorised. The answer is the only place where its secret ever is. */
export async function createKeyFor(owner: KeyOwner, input: CreateKeyInput): Promise<CreatedKey> {
  const limitPico = input.limit ? parseUsd(input.limit.amountUsd) : null
  if (input.limit && (limitPico === null || limitPico <= 0n))
    throw new ServiceError("invalid_request", {
      param: "limit.amountUsd",
      message: "The spend limit is no amount in USD.",
    })
  const keyId = newId()
  const { token, sha256, masked } = newKeyToken()
  await inTransaction(runtime().pool, async (client) => {
    await client.query(
      `INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256, limit_pico, limit_period, expires_at)
       VALUES ($1, $2, 'secret', $3, $4, $5, $6, $7, $8)`,
      [keyId, owner.accountId, input.name, masked, sha256, limitPico, input.limit?.period ?? null, input.expiresAt],
    )
    await recordAudit(client, {
      accountId: owner.accountId,
      actor: owner.auditAs,
      action: "key.create",
      subject: publicId("key", keyId),
      clientAddress: owner.clientAddress,
    })
  })
  return { id: publicId("key", keyId), name: input.name, token, masked }
}

/** Makes a key for the actor's own account; at most so many an hour, for neither keys nor the audit log ever go away. */
export async function createKey(actor: UserActor, input: CreateKeyInput): Promise<CreatedKey> {
  const { accountId, userId, clientAddress } = actor
  const { rows } = await runtime().pool.query<{ made: number }>(
    "SELECT count(*)::int AS made FROM api_key WHERE account_id = $1 AND kind = 'secret' AND created_at > now() - interval '1 hour'",
    [accountId],
  )
  if ((rows[0]?.made ?? 0) >= MOST_AN_HOUR)
    throw new ServiceError("rate_limited", { message: `An account makes at most ${MOST_AN_HOUR} keys an hour.` })
  return createKeyFor({ accountId, auditAs: `user:${userId}`, clientAddress }, input)
}
