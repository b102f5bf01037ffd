import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { type AccountActor, creatorOf, requireRight } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CreatedKey, KeyInput, ReplaceKeyInput } from "@/lib/shared/keys/schema"
import { changeLocked } from "./change-key"
import { requireConfirmedLimit } from "./high-limit"
import { lockKey } from "./lock-key"
import { newSecret } from "./secret"

// A secret that was replaced before ends here, whenever it would have ended.
const REPLACE = `
  UPDATE api_key SET previous_sha256 = secret_sha256, previous_masked = masked, previous_used_at = last_used_at,
    previous_until = ledger_now() + $4 * interval '1 hour', previous_at = coalesce(replaced_at, created_at),
    previous_by = CASE WHEN replaced_at IS NULL THEN created_by ELSE replaced_by END, replaced_at = ledger_now(), replaced_by = $5, last_used_at = NULL,
    secret_sha256 = $2, masked = $3
  WHERE id = $1`

/**
 * Gives a key another secret, which is returned once. The old one keeps working for `overlapHours`, and an older one that still works
 * ends. Name, id, limit and usage stay. Mails those who manage keys. Throws as `changeLocked` does, and `confirmation_required` for a key
 * that only a recent sign-in could create.
 */
export async function replaceKey(
  runtime: Runtime,
  actor: AccountActor,
  { id, overlapHours }: ReplaceKeyInput,
): Promise<CreatedKey> {
  requireRight(actor, "keys.manage")
  const { token, sha256, masked } = newSecret("svcd_")
  let name = ""
  await changeLocked(runtime, actor, id, async (client, key) => {
    name = key.name
    await requireConfirmedLimit(client, actor, "replaceKey", key.limitPico)
    await client.query(REPLACE, [key.keyId, sha256, masked, overlapHours, creatorOf(actor)])
    await recordAudit(client, actor, { action: "key.replace", subject: id })
    await queueMail(client, {
      accountId: actor.accountId,
      kind: "key_replaced",
      source: `key:${key.keyId}:replaced:${newId()}`,
      facts: { keyId: id, overlapHours },
    })
  })
  return { id, name, token, masked }
}

const END_OLD = "UPDATE api_key SET previous_until = ledger_now() WHERE id = $1 AND previous_until > ledger_now()"

async function endOld(client: PoolClient, actor: AccountActor, id: string, keyId: string): Promise<void> {
  const { rowCount } = await client.query(END_OLD, [keyId])
  if (rowCount) await recordAudit(client, actor, { action: "key.end_secret", subject: id })
}

/**
 * Does what `endOldSecret` does, in the transaction of `client`. Returns the key's UUID, which the caller's process must forget after the
 * commit.
 */
export async function endOldSecretIn(client: PoolClient, actor: AccountActor, id: string): Promise<string> {
  const { keyId } = await lockKey(client, actor, id)
  await endOld(client, actor, id, keyId)
  return keyId
}

/**
 * Ends the old secret of a key that was replaced, before its time. Within two seconds no request with it is answered any more. Does
 * nothing when it has ended. Throws as `changeLocked` does.
 */
export async function endOldSecret(runtime: Runtime, actor: AccountActor, { id }: KeyInput): Promise<{ id: string }> {
  requireRight(actor, "keys.manage")
  return changeLocked(runtime, actor, id, (client, { keyId }) => endOld(client, actor, id, keyId))
}
