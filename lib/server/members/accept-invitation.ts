import { accountName } from "@/lib/server/accounts/account-name"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { showAccount } from "@/lib/server/auth/switch-account"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { queueEvent } from "@/lib/server/webhooks/queue-event"
import type { InvitationInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"

type Open = Row<"Invitation", "account_id"> & { role: Role; inviter: string }

// The signed-in user proved that the mailbox is theirs, so the address is all that an invitation needs.
const OPEN = `
  SELECT i.account_id, i.role, u.email AS inviter FROM invitation i JOIN app_user u ON u.id = i.invited_by
    JOIN account a ON a.id = i.account_id AND a.status = 'active'
  WHERE i.id = $1 AND i.email = $2 AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()`

/** What an invitation offers. */
export interface Offer {
  account: string
  role: Role
  invitedBy: string
}

/**
 * Returns what an invitation offers the actor. Null when it is unknown, accepted, revoked, expired or another address's, or when its
 * account is suspended or closed: all of them look the same.
 */
export async function findInvitation(
  runtime: Runtime,
  actor: UserActor,
  { id }: InvitationInput,
): Promise<Offer | null> {
  const { rows } = await runtime.pool.query<Open>(OPEN, [parsePublicId("inv", id), actor.email])
  const [row] = rows
  return row ? { account: await accountName(runtime, row.account_id), role: row.role, invitedBy: row.inviter } : null
}

/**
 * Makes the actor a member of the account that invited the actor's address, and shows that account in this session. Of concurrent
 * calls one succeeds. A member keeps the role. Throws `not_found` when `findInvitation` returns null.
 */
export async function acceptInvitation(
  { pool }: Runtime,
  actor: UserActor,
  { id }: InvitationInput,
): Promise<{ accountId: string }> {
  const accountId = await inTransaction(pool, async (client) => {
    const found = await client.query<Open>(OPEN, [parsePublicId("inv", id), actor.email])
    const gone = () => new ServiceError("not_found", { message: "This invitation is no longer valid for you." })
    if (!found.rows[0]) throw gone()
    const { account_id: joined } = found.rows[0]
    await lockAccount(client, joined)
    const { rows } = await client.query<{ role: Role }>(
      `UPDATE invitation SET accepted_at = now()
       WHERE id = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() RETURNING role`,
      [parsePublicId("inv", id)],
    )
    if (!rows[0]) throw gone()
    const { role } = rows[0]
    const userId = publicId("usr", actor.userId)
    const { rowCount: added } = await client.query(
      "INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (account_id, user_id) DO NOTHING",
      [joined, actor.userId, role],
    )
    const by = { ...actor, accountId: joined }
    if (added) {
      const source = `invitation:${id}`
      await queueMail(client, { accountId: joined, kind: "member_joined", source, facts: { userId, role } })
      const data = { account_id: publicId("acc", joined), user_id: userId, role }
      await queueEvent(client, { accountId: joined, type: "member.joined", source, data })
      await recordAudit(client, by, { action: "member.join", subject: userId, detail: role })
    }
    await showAccount(client, by)
    return joined
  })
  return { accountId: publicId("acc", accountId) }
}
