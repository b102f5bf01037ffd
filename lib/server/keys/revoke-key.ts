import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { RevokeKeyInput } from "@/lib/shared/keys/schema"

interface KeyRow {
  kind: "secret" | "playground"
  revoked_at: Date | null
}

const noSuchKey = (): ServiceError => new ServiceError("not_found", { message: "There is no such key." })

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
 * same row under its lock. A second call changes nothing. Throws `not_found` for an unknown key and for another account's key,
 * and `forbidden` for the Playground key.
 */
export async function revokeKey(actor: AccountActor, input: RevokeKeyInput): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  const { id } = parseInput(RevokeKeyInput, input)
  const keyId = parsePublicId("key", id)
  if (!keyId) throw noSuchKey()
  await inTransaction(runtime().pool, async (client) => {
    const { rows } = await client.query<KeyRow>(
      "SELECT kind, revoked_at FROM api_key WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [keyId, actor.accountId],
    )
    const [key] = rows
    if (!key) throw noSuchKey()
    if (key.kind === "playground")
      throw new ServiceError("forbidden", {
        message: "The Playground key belongs to the account and cannot be revoked.",
      })
    if (key.revoked_at) return
    await client.query("UPDATE api_key SET revoked_at = ledger_now() WHERE id = $1", [keyId])
    await recordAudit(client, actor, { action: "key.revoke", subject: id })
  })
  runtime().keys.forget(keyId)
  return { id }
}
