import type { PoolClient } from "pg"
import { accountName } from "@/lib/server/accounts/account-name"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { type MemberManager, requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { INVITATION_DAYS } from "@/lib/shared/accounts/invitation-days"
import type { InvitationInput, InviteInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { refuseTokenOnOwners, requireStillOwner } from "./change-members"
import { countInvitationMail } from "./invitation-limits"

const noSuchInvitation = () =>
  new ServiceError("not_found", { message: "There is no such invitation. It may have been accepted or revoked." })

type Stored = Row<"Invitation", "id" | "email" | "expires_at" | "is_transfer"> & { role: Role; inviter: string }
type Sent = Stored & { isMailed: boolean }

/** Sends the mail after the transaction. The invitation stays when the mail fails, so that it can be sent again. */
export async function mailInvitation(
  runtime: Runtime,
  accountId: string,
  { isMailed, ...sent }: Sent,
): Promise<{ id: string }> {
  const id = publicId("inv", sent.id)
  if (!isMailed) return { id }
  const account = await accountName(runtime, accountId)
  try {
    const { email: to, role, expires_at: expiresAt, is_transfer: isTransfer, inviter: invitedBy } = sent
    const facts = { to, role, expiresAt, id, account, invitedBy, isTransfer }
    await sendLinkMail(runtime, "invitation", facts)
  } catch (cause) {
    throw new ServiceError("upstream_error", {
      message: "The invitation was saved, but the e-mail could not be sent. Send it again in a minute.",
      cause,
    })
  }
  return { id }
}

/** Throws `invalid_request` for a member's address. The owner sees the members, so this reveals nothing. */
async function refuseMember(client: PoolClient, accountId: string, email: string): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2",
    [accountId, email],
  )
  if (rowCount)
    throw new ServiceError("invalid_request", { param: "email", message: "This person is already a member." })
}

// An offer of the ownership names who gives it up, also when another owner sends it again.
const SENT = `RETURNING id, email, role, expires_at, is_transfer,
  (SELECT u.email FROM app_user u WHERE u.id = invited_by) AS inviter`

const UPSERT = `
  INSERT INTO invitation (id, account_id, email, role, invited_by, is_transfer, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${INVITATION_DAYS} days')
  ON CONFLICT (account_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL
  DO UPDATE SET role = $4, invited_by = $5, is_transfer = $6, sent_at = now(), expires_at = now() + interval '${INVITATION_DAYS} days'
  ${SENT}`

type Invited = InviteInput & { isTransfer: boolean }

/**
 * Saves an invitation of the actor for `INVITATION_DAYS`, in the transaction of `client`, and replaces an open one of the address. Needs
 * the account's lock. Throws `rate_limited`.
 */
export async function saveInvitation(
  client: PoolClient,
  { accountId, userId }: MemberManager,
  { email, role, isTransfer }: Invited,
): Promise<Sent> {
  const isMailed = await countInvitationMail(client, { accountId, email, isMember: isTransfer })
  const { rows } = await client.query<Stored>(UPSERT, [newId(), accountId, email, role, userId, isTransfer])
  return { ...(rows[0] as Stored), isMailed }
}

/**
 * Invites an address to the actor's account for `INVITATION_DAYS`. Replaces an open invitation of the address, without another mail after three
 * in an hour. Does the same for addresses with and without a user. Throws `invalid_request` for a member's address, `forbidden` for a
 * token that invites an owner, `rate_limited` at the limits on mails and on members, and `upstream_error` when the mail could not be sent.
 */
export async function inviteMember(
  runtime: Runtime,
  actor: MemberManager,
  { email, role }: InviteInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor, role === "owner" ? "transferOwnership" : "inviteMember")
  refuseTokenOnOwners(actor, role)
  const { accountId } = actor
  const sent = await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, accountId)
    await requireStillOwner(client, actor)
    await refuseMember(client, accountId, email)
    const invitation = await saveInvitation(client, actor, { email, role, isTransfer: false })
    await recordAudit(client, actor, {
      action: "member.invite",
      subject: publicId("inv", invitation.id),
      detail: role,
    })
    return invitation
  })
  return mailInvitation(runtime, accountId, sent)
}

const RENEW = `
  UPDATE invitation SET sent_at = now(), expires_at = now() + interval '${INVITATION_DAYS} days'
  WHERE id = $1 AND account_id = $2 AND accepted_at IS NULL AND revoked_at IS NULL
  ${SENT}`

/** Sends an open invitation again, for another `INVITATION_DAYS`. Mails and throws as `inviteMember` does, and throws `not_found`. */
export async function resendInvitation(
  runtime: Runtime,
  actor: UserActor,
  { id }: InvitationInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor, "resendInvitation")
  const { accountId } = actor
  const sent = await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, accountId)
    await requireStillOwner(client, actor)
    const { rows } = await client.query<Stored>(RENEW, [parsePublicId("inv", id), accountId])
    if (!rows[0]) throw noSuchInvitation()
    if (rows[0].role === "owner") requireConfirmed(actor, "transferOwnership")
    const isMailed = await countInvitationMail(client, {
      accountId,
      email: rows[0].email,
      isMember: rows[0].is_transfer,
    })
    await recordAudit(client, actor, { action: "member.resend", subject: id })
    return { ...rows[0], isMailed }
  })
  return mailInvitation(runtime, accountId, sent)
}

/** Revokes an open invitation. Throws `not_found`. */
export async function revokeInvitation(
  { pool }: Runtime,
  actor: MemberManager,
  { id }: InvitationInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await requireStillOwner(client, actor)
    const { rowCount } = await client.query(
      `UPDATE invitation SET revoked_at = now()
       WHERE id = $1 AND account_id = $2 AND accepted_at IS NULL AND revoked_at IS NULL`,
      [parsePublicId("inv", id), actor.accountId],
    )
    if (!rowCount) throw noSuchInvitation()
    await recordAudit(client, actor, { action: "member.revoke", subject: id })
  })
  return { id }
}
