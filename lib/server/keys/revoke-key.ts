import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { KeyInput } from "@/lib/shared/keys/schema"
import { lockKey, noSuchKey } from "./lock-key"

/** Returns the account UUID of a key by the key's public id. For the operator, who knows only the key. Throws `not_found`. */
export async function findAccountOfKey(id: string): Promise<string> {
  const { rows } = await runtime().pool.query<{ account_id: string }>("SELECT account_id FROM api_key WHERE id = $1", [
    parsePublicId("key", id),
  ])
  if (!rows[0]) throw noSuchKey()
  return rows[0].account_id
}

/**
 * Revokes a key of the actor's account permanently. After the commit the key cannot spend, because `place_holds` reads the
 * same row under its lock. A second call changes nothing. Throws as `lockKey` does.
 */
export async function revokeKey(actor: AccountActor, input: KeyInput): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  const { id } = parseInput(KeyInput, input)
  const revoked = await inTransaction(runtime().pool, async (client) => {
    const { keyId, isRevoked } = await lockKey(client, actor, id)
    if (isRevoked) return keyId
    await client.query("UPDATE api_key SET revoked_at = ledger_now() WHERE id = $1", [keyId])
    await recordAudit(client, actor, { action: "key.revoke", subject: id })
    return keyId
  })
  runtime().keys.forget(revoked)
  return { id }
}
