import type { PoolClient } from "pg"
import type { AccountActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId } from "@/lib/server/platform/ids"
import { ServiceError } from "@/lib/shared/errors"

export interface LockedKey {
  /** The UUID behind the public id. */
  keyId: string
  name: string
  isRevoked: boolean
  isPaused: boolean
  /** Null without a limit. */
  limitPico: bigint | null
}

export const noSuchKey = (): ServiceError => new ServiceError("not_found", { message: "There is no such key." })

/**
 * Locks a key of the actor's account by its public id until the transaction ends. Throws `not_found` for an unknown key and for
 * another account's key, and `forbidden` for the Playground key.
 */
export async function lockKey(client: PoolClient, actor: AccountActor, id: string): Promise<LockedKey> {
  const keyId = parsePublicId("key", id)
  if (!keyId) throw noSuchKey()
  const { rows } = await client.query<Row<"ApiKey", "name" | "kind" | "revoked_at" | "paused_at" | "limit_pico">>(
    "SELECT name, kind, revoked_at, paused_at, limit_pico FROM api_key WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [keyId, actor.accountId],
  )
  const [key] = rows
  if (!key) throw noSuchKey()
  if (key.kind === "playground")
    throw new ServiceError("forbidden", { message: "The Playground key belongs to the account and cannot be changed." })
  return {
    keyId,
    name: key.name,
    isRevoked: key.revoked_at !== null,
    isPaused: key.paused_at !== null,
    limitPico: key.limit_pico === null ? null : BigInt(key.limit_pico),
  }
}
