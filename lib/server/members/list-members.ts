import { type AccountActor, hasRight, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { InvitationSummary, MemberCard, MemberSummary } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"

type MemberRow = Row<"Member", "user_id" | "created_at"> &
  Row<"User", "email"> & { role: Role; keys: number; card: MemberCard }

const MEMBERS = `
  SELECT m.user_id, u.email, m.role, m.created_at, (SELECT count(*)::int FROM api_key k
    WHERE k.account_id = m.account_id AND k.created_by = m.user_id AND k.revoked_at IS NULL) AS keys,
    CASE WHEN c.account_id IS NULL THEN 'none' WHEN coalesce(t.state, 'off') = 'off' THEN 'saved' ELSE 'charged' END AS card
  FROM member m JOIN app_user u ON u.id = m.user_id
  LEFT JOIN saved_card c ON c.account_id = m.account_id AND c.user_id = m.user_id AND c.removed_at IS NULL
  LEFT JOIN auto_topup t ON t.account_id = m.account_id WHERE m.account_id = $1
  ORDER BY m.role = 'owner' DESC, m.created_at, u.email`

/** Returns the members of the actor's account: owners first, then by when they joined. */
export async function listMembers({ pool }: Runtime, actor: AccountActor): Promise<MemberSummary[]> {
  requireRight(actor, "members.read")
  const { rows } = await pool.query<MemberRow>(MEMBERS, [actor.accountId])
  const mayManage = hasRight(actor, "members.manage")
  return rows.map((row) => ({
    id: publicId("usr", row.user_id),
    email: row.email,
    role: row.role,
    joinedAt: row.created_at.toISOString(),
    isYou: actor.type === "user" && row.user_id === actor.userId,
    keyCount: row.keys,
    card: mayManage ? row.card : "none",
  }))
}

const INVITATIONS = `
  SELECT i.id, i.email, i.role, i.is_transfer, u.email AS inviter, i.sent_at, i.expires_at, i.expires_at <= now() AS is_expired
  FROM invitation i JOIN app_user u ON u.id = i.invited_by
  WHERE i.account_id = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL ORDER BY i.id DESC`

type InvitationRow = Row<"Invitation", "id" | "email" | "is_transfer" | "sent_at" | "expires_at"> & {
  role: Role
  inviter: string
  is_expired: boolean
}

/** Returns the open invitations of the actor's account, newest first. Needs `invitations.read`. */
export async function listInvitations({ pool }: Runtime, actor: AccountActor): Promise<InvitationSummary[]> {
  requireRight(actor, "invitations.read")
  const { rows } = await pool.query<InvitationRow>(INVITATIONS, [actor.accountId])
  return rows.map((row) => ({
    id: publicId("inv", row.id),
    email: row.email,
    role: row.role,
    isTransfer: row.is_transfer,
    invitedBy: row.inviter,
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isExpired: row.is_expired,
  }))
}
