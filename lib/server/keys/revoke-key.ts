import { recordAudit } from "@/lib/server/audit/record-audit"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { ServiceError } from "@/lib/shared/errors"
import type { RevokeKeyInput } from "@/lib/shared/keys/schema"
import type { KeyOwner } from "./create-key"

interface KeyRow {
  kind: "secret" | "playground"
  revoked_at: Date | null
}

const noSuchKey = (): ServiceError => new ServiceError("not_found", { message: "There is no such key." })

/**
 * Ends a key of an account the caller has authorised, for good. From the commit on it can spend nothing: `place_hold`
 * looks under the same row's lock. Revoking twice is harmless. A foreign key answers like one that does not exist.
 */
export async function revokeKeyFor(owner: KeyOwner, { id }: RevokeKeyInput): Promise<{ id: string }> {
  const keyId = parsePublicId("key", id)
  if (!keyId) throw noSuchKey()
  await inTransaction(runtime().pool, async (client) => {
    const { rows } = await client.query<KeyRow>(
      "SELECT kind, revoked_at FROM api_key WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [keyId, owner.accountId],
    )
    const [key] = rows
    if (!key) throw noSuchKey()
    if (key.kind === "playground")
      throw new ServiceError("forbidden", {
        message: "The Playground key belongs to the account and cannot be revoked.",
      })
    if (key.revoked_at) return
    await client.query("UPDATE api_key SET revoked_at = ledger_now() WHERE id = $1", [keyId])
    await recordAudit(client, {
      accountId: owner.accountId,
      actor: owner.auditAs,
      action: "key.revoke",
      subject: id,
      clientAddress: owner.clientAddress,
    })
  })
  runtime().keys.forget(keyId)
  return { id }
}

/** Ends a key of the actor's own account. */
export const revokeKey = (actor: UserActor, input: RevokeKeyInput): Promise<{ id: string }> =>
  revokeKeyFor(
    { accountId: actor.accountId, auditAs: `user:${actor.userId}`, clientAddress: actor.clientAddress },
    input,
  )
