import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { MemberInput } from "@/lib/shared/accounts/members"
import { lockMember, noSuchMember, reportRoles, requireStillOwner, setRole } from "./change-members"
import { mailInvitation, saveInvitation } from "./invitations"

/**
 * Offers another member the ownership by an invitation, `inv_…`. Nothing changes until that member accepts it, and nothing does once the
 * actor is no longer an owner. Throws `not_found`, and `upstream_error` when the mail could not be sent.
 */
export async function transferOwnership(
  runtime: Runtime,
  actor: UserActor,
  { id }: MemberInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor, "transferOwnership")
  const userId = parsePublicId("usr", id)
  if (!userId || userId === actor.userId) throw noSuchMember()
  const sent = await inTransaction(runtime.pool, async (client) => {
    await lockMember(client, actor.accountId, userId)
    await requireStillOwner(client, actor)
    const { rows } = await client.query<Row<"User", "email">>("SELECT email FROM app_user WHERE id = $1", [userId])
    if (!rows[0]) throw noSuchMember()
    const saved = await saveInvitation(client, actor, { email: rows[0].email, role: "owner", isTransfer: true })
    await recordAudit(client, actor, { action: "member.offer", subject: id })
    return saved
  })
  return mailInvitation(runtime, actor.accountId, sent)
}

/**
 * Makes a member who accepted an offer an owner, and the sender of the offer a developer, in the transaction of `client`, which must hold
 * the account's lock. Returns false, and changes nothing, unless the heir is a member and the sender an owner.
 */
export async function takeOver(client: PoolClient, heir: UserActor, senderId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM member WHERE account_id = $1 AND (user_id = $2 OR (user_id = $3 AND role = 'owner'))",
    [heir.accountId, heir.userId, senderId],
  )
  if (rowCount !== 2) return false
  const by = { ...heir, userId: senderId }
  await setRole(client, by, heir.userId, "owner")
  const card = await setRole(client, by, senderId, "developer")
  const facts = { userId: publicId("usr", heir.userId) }
  await reportRoles(client, by, { kind: "ownership_transferred", facts, alsoTo: senderId }, card)
  await recordAudit(client, heir, { action: "member.take_over", subject: publicId("usr", senderId) })
  return true
}
