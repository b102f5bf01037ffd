import type { PoolClient } from "pg"
import { accountName } from "@/lib/server/accounts/account-name"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { showAccount } from "@/lib/server/auth/switch-account"
import { queueEvent } from "@/lib/server/events/queue-event"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { InvitationInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { takeOver } from "./transfer-ownership"

type Open = Row<"Invitation", "account_id" | "is_transfer"> & { role: Role; inviter: string }

// The signed-in user proved that the mailbox is theirs, so the address is all that an invitation needs. Only a member gets the ownership.
const OPEN = `
  SELECT i.account_id, i.role, i.is_transfer, u.email AS inviter FROM invitation i JOIN app_user u ON u.id = i.invited_by
    JOIN account a ON a.id = i.account_id AND a.status = 'active'
  WHERE i.id = $1 AND i.email = $2 AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
    AND (NOT i.is_transfer OR EXISTS (SELECT FROM member m WHERE m.account_id = i.account_id AND m.user_id = $3))`

/** What an invitation offers. */
export interface Offer {
  account: string
  role: Role
  invitedBy: string
  /** Whether it offers a member the ownership, which the sender then gives up. */
  isTransfer: boolean
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
  const { rows } = await runtime.pool.query<Open>(OPEN, [parsePublicId("inv", id), actor.email, actor.userId])
  const [row] = rows
  if (!row) return null
  const { account_id: accountId, role, inviter: invitedBy, is_transfer: isTransfer } = row
  return { account: await accountName(runtime, accountId), role, invitedBy, isTransfer }
}

const gone = () => new ServiceError("not_found", { message: "This invitation is no longer valid for you." })

type Accepted = Row<"Invitation", "id" | "invited_by" | "is_transfer"> & { role: Role }

const ACCEPT = `
  UPDATE invitation SET accepted_at = now()
  WHERE id = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() RETURNING id, role, invited_by, is_transfer`

/** Makes the actor a member of the actor's account, unless the actor is one. */
async function join(client: PoolClient, actor: UserActor, { id, role }: Accepted): Promise<void> {
  const { accountId } = actor
  const userId = publicId("usr", actor.userId)
  const { rowCount: added } = await client.query(
    "INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (account_id, user_id) DO NOTHING",
    [accountId, actor.userId, role],
  )
  if (!added) return
  const source = `invitation:${publicId("inv", id)}`
  await queueMail(client, { accountId, kind: "member_joined", source, facts: { userId, role } })
  const data = { account_id: publicId("acc", accountId), user_id: userId, role }
  await queueEvent(client, { accountId, type: "member.joined", source, data })
  await recordAudit(client, actor, { action: "member.join", subject: userId, detail: role })
}

/**
 * Makes the actor a member of the account that invited the actor's address, or its owner in place of the sender, and shows that account in
 * this session. Of concurrent calls one succeeds. A member keeps the role, unless the invitation offers the ownership. Throws
 * `not_found` when `findInvitation` returns null, and for such an offer to a person who is no longer a member.
 */
export async function acceptInvitation(
  { pool }: Runtime,
  actor: UserActor,
  { id }: InvitationInput,
): Promise<{ accountId: string }> {
  const invitationId = parsePublicId("inv", id)
  const accountId = await inTransaction(pool, async (client) => {
    const found = await client.query<Open>(OPEN, [invitationId, actor.email, actor.userId])
    if (!found.rows[0]) throw gone()
    const { account_id: joined } = found.rows[0]
    await lockAccount(client, joined)
    const { rows } = await client.query<Accepted>(ACCEPT, [invitationId])
    const [accepted] = rows
    if (!accepted) throw gone()
    const by = { ...actor, accountId: joined }
    if (!accepted.is_transfer) await join(client, by, accepted)
    else if (!(await takeOver(client, by, accepted.invited_by))) throw gone()
    await showAccount(client, by)
    return joined
  })
  return { accountId: publicId("acc", accountId) }
}
