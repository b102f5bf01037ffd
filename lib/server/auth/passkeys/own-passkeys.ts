import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { OnePasskey, PasskeySummary, RenamePasskeyInput } from "@/lib/shared/auth/passkeys"
import { ServiceError } from "@/lib/shared/errors"
import { lockUser } from "../change-email"

const unknownPasskey = () =>
  new ServiceError("not_found", { message: "There is no such passkey. It may have been removed." })

/** Returns the actor's passkeys, oldest first, without their keys. */
export async function listPasskeys(runtime: Runtime, actor: UserActor): Promise<PasskeySummary[]> {
  requireRight(actor, "account.read")
  const passkeys = await prisma(runtime).passkey.findMany({
    where: { userId: actor.userId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: { id: "asc" },
  })
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id: publicId("pky", id),
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/** Returns whether the actor has a passkey. */
export async function hasPasskey({ pool }: Runtime, actor: UserActor): Promise<boolean> {
  requireRight(actor, "account.read")
  const { rowCount } = await pool.query("SELECT FROM passkey WHERE user_id = $1 LIMIT 1", [actor.userId])
  return rowCount === 1
}

/** Renames a passkey of the actor. Throws `not_found` for any other id. */
export async function renamePasskey(
  runtime: Runtime,
  actor: UserActor,
  { id, name }: RenamePasskeyInput,
): Promise<{ id: string }> {
  requireRight(actor, "account.read")
  await inTransaction(runtime.pool, async (client) => {
    await lockUser(client, actor.userId)
    const values = [parsePublicId("pky", id), actor.userId, name]
    const { rowCount } = await client.query("UPDATE passkey SET name = $3 WHERE id = $1 AND user_id = $2", values)
    if (!rowCount) throw unknownPasskey()
    await recordAudit(client, actor, { action: "passkey.rename", subject: id })
  })
  return { id }
}

/** Removes a passkey of the actor, which confirms nothing from then on, and mails the user. Throws `not_found` for any other id. */
export async function removePasskey(runtime: Runtime, actor: UserActor, { id }: OnePasskey): Promise<{ id: string }> {
  requireRight(actor, "account.read")
  const { accountId, userId } = actor
  await inTransaction(runtime.pool, async (client) => {
    await lockUser(client, userId)
    const values = [parsePublicId("pky", id), userId]
    const { rowCount } = await client.query("DELETE FROM passkey WHERE id = $1 AND user_id = $2", values)
    if (!rowCount) throw unknownPasskey()
    await recordAudit(client, actor, { action: "passkey.remove", subject: id })
    const mail = { kind: "passkey_removed", source: `passkey:${id}:removed`, facts: {} } as const
    await queueMail(client, { accountId, ...mail, alsoTo: userId })
  })
  return { id }
}
