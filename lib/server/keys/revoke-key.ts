import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueEvent } from "@/lib/server/events/queue-event"
import { type AccountActor, type AccountOperator, operatorFor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { afterCommit, inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { KeyInput, KeysInput } from "@/lib/shared/keys/schema"
import { lockKey, noSuchKey } from "./lock-key"

/** Returns the operator on the account of a key, by the key's public id. For commands, which name only the key. Throws `not_found`. */
export async function operatorForKey(runtime: Runtime, id: string): Promise<AccountOperator> {
  const keyId = parsePublicId("key", id)
  const key = keyId && (await prisma(runtime).apiKey.findUnique({ where: { id: keyId }, select: { accountId: true } }))
  if (!key) throw noSuchKey()
  return operatorFor(key.accountId)
}

/**
 * Does what `revokeKeys` does with one key, in the transaction of `client`. Returns the key's UUID, which the caller's process must
 * forget after the commit.
 */
export async function revokeKeyIn(client: PoolClient, actor: AccountActor, id: string): Promise<string> {
  const { keyId, isRevoked } = await lockKey(client, actor, id)
  if (isRevoked) return keyId
  await client.query("UPDATE api_key SET revoked_at = ledger_now() WHERE id = $1", [keyId])
  await recordAudit(client, actor, { action: "key.revoke", subject: id })
  await queueEvent(client, {
    accountId: actor.accountId,
    type: "key.revoked",
    source: `key:${keyId}:revoked`,
    data: { account_id: publicId("acc", actor.accountId), key_id: id },
  })
  return keyId
}

/**
 * Revokes keys of the actor's account permanently, all of them or none. After the commit they get no hold, because `place_holds` reads
 * the same rows under their locks, and within 2 s no call to an engine begins for them. A second call changes nothing. Throws as
 * `lockKey` does.
 */
export async function revokeKeys(
  { pool, keys }: Runtime,
  actor: AccountActor,
  { ids }: KeysInput,
): Promise<{ ids: string[] }> {
  requireRight(actor, "keys.manage")
  const revoked = await inTransaction(pool, async (client) => {
    const keyIds: string[] = []
    // In one order, so that two calls which lock the same keys cannot block each other.
    for (const id of [...new Set(ids)].sort()) keyIds.push(await revokeKeyIn(client, actor, id))
    return keyIds
  })
  afterCommit(pool, () => {
    for (const keyId of revoked) keys.forget(keyId)
  })
  return { ids }
}

/** Revokes one key, as `revokeKeys` does. */
export async function revokeKey(runtime: Runtime, actor: AccountActor, { id }: KeyInput): Promise<{ id: string }> {
  await revokeKeys(runtime, actor, { ids: [id] })
  return { id }
}
