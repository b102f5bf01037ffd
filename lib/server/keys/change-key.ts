import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { afterCommit, inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { KEY_TEXT_NAMES, KEY_TEXTS } from "@/lib/shared/keys/key-texts"
import type { ChangeKeyInput, KeyInput } from "@/lib/shared/keys/schema"
import { requireConfirmedLimit } from "./high-limit"
import { type LockedKey, lockKey } from "./lock-key"

/** Changes a key, in one transaction with its audit row. Throws as `lockKey` does, and `forbidden` for a revoked key. */
export async function changeLocked(
  { pool, keys }: Runtime,
  actor: AccountActor,
  id: string,
  change: (client: PoolClient, key: LockedKey) => Promise<void>,
): Promise<{ id: string }> {
  const changed = await inTransaction(pool, async (client) => {
    const key = await lockKey(client, actor, id)
    if (key.isRevoked) throw new ServiceError("forbidden", { message: "This key is revoked and cannot be changed." })
    await change(client, key)
    return key.keyId
  })
  afterCommit(pool, () => keys.forget(changed))
  return { id }
}

/** Gives a key another name, other texts and other tags. Its limit and expiry never change. Throws as `changeLocked` does. */
export async function changeKey(
  runtime: Runtime,
  actor: AccountActor,
  { id, name, tags, ...texts }: ChangeKeyInput,
): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  return changeLocked(runtime, actor, id, async (client, { keyId }) => {
    const given = KEY_TEXT_NAMES.filter((text) => texts[text] !== undefined)
    const set = given.map((text, at) => `, ${KEY_TEXTS[text].column} = $${at + 4}`).join("")
    const values = given.map((text) => texts[text] || null)
    await client.query(`UPDATE api_key SET name = $2, tags = coalesce($3, tags)${set} WHERE id = $1`, [
      keyId,
      name,
      tags,
      ...values,
    ])
    await recordAudit(client, actor, { action: "key.change", subject: id })
  })
}

/**
 * Pauses a key: it is refused like a revoked one, until `resumeKey`. A second call changes nothing. Throws as
 * `changeLocked` does.
 */
export async function pauseKey(runtime: Runtime, actor: AccountActor, { id }: KeyInput): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  return changeLocked(runtime, actor, id, async (client, { keyId, isPaused }) => {
    if (isPaused) return
    await client.query("UPDATE api_key SET paused_at = ledger_now() WHERE id = $1", [keyId])
    await recordAudit(client, actor, { action: "key.pause", subject: id })
  })
}

/**
 * Lets a paused key work again. A second call changes nothing. Throws as `changeLocked` does, and `confirmation_required` for a key
 * that only a recent sign-in could create.
 */
export async function resumeKey(runtime: Runtime, actor: AccountActor, { id }: KeyInput): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  return changeLocked(runtime, actor, id, async (client, { keyId, isPaused, limitPico }) => {
    if (!isPaused) return
    await requireConfirmedLimit(client, actor, "resumeKey", limitPico)
    await client.query("UPDATE api_key SET paused_at = NULL WHERE id = $1", [keyId])
    await recordAudit(client, actor, { action: "key.resume", subject: id })
  })
}
