import { hasRight, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { InvitationSummary, LeftKey, MemberCard, MemberSummary } from "@/lib/shared/accounts/members"
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
export async function listMembers({ pool }: Runtime, actor: UserActor): Promise<MemberSummary[]> {
  requireRight(actor, "members.read")
  const { rows } = await pool.query<MemberRow>(MEMBERS, [actor.accountId])
  const mayManage = hasRight(actor, "members.manage")
  return rows.map((row) => ({
    id: publicId("usr", row.user_id),
    email: row.email,
    role: row.role,
    joinedAt: row.created_at.toISOString(),
    isYou: row.user_id === actor.userId,
    keyCount: row.keys,
    card: mayManage ? row.card : "none",
  }))
}

/** Returns the open invitations of the actor's account, newest first. Needs `members.manage`. */
export async function listInvitations(runtime: Runtime, actor: UserActor): Promise<InvitationSummary[]> {
  requireRight(actor, "members.manage")
  const invitations = await prisma(runtime).invitation.findMany({
    where: { accountId: actor.accountId, acceptedAt: null, revokedAt: null },
    include: { inviter: { select: { email: true } } },
    orderBy: { id: "desc" },
  })
  const now = new Date()
  return invitations.map(({ id, email, role, inviter, sentAt, expiresAt }) => ({
    id: publicId("inv", id),
    email,
    role: role as Role,
    invitedBy: inviter.email,
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= now,
  }))
}

/** Returns the working keys of people who are no longer members, newest first. Needs `members.manage`. */
export async function listLeftKeys(runtime: Runtime, actor: UserActor): Promise<LeftKey[]> {
  requireRight(actor, "members.manage")
  const { accountId } = actor
  const keys = await prisma(runtime).apiKey.findMany({
    where: {
      accountId,
      kind: "secret",
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
      creator: { members: { none: { accountId } } },
    },
    select: { id: true, name: true, masked: true, creator: { select: { email: true } } },
    orderBy: { id: "desc" },
  })
  return keys.map(({ id, name, masked, creator }) => ({
    id: publicId("key", id),
    name,
    masked: masked ?? "",
    createdBy: creator?.email ?? "",
  }))
}
