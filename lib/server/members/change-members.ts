import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { endSessionsOfMember } from "@/lib/server/auth/sessions"
import { endAutoTopup } from "@/lib/server/billing/saved-card"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueFarewell } from "@/lib/server/mail/queue-farewell"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { ChangeRoleInput, MemberInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"

const noSuchMember = () => new ServiceError("not_found", { message: "There is no such member." })

/** Locks the account, so that its members change one at a time, and returns the role of one. Throws `not_found`. */
async function lockMember(client: PoolClient, accountId: string, userId: string | null): Promise<Role> {
  await lockAccount(client, accountId)
  const { rows } = await client.query<{ role: Role }>(
    "SELECT role FROM member WHERE account_id = $1 AND user_id = $2",
    [accountId, userId],
  )
  if (!rows[0]) throw noSuchMember()
  return rows[0].role
}

/** Throws `invalid_request` when the account has no other owner. Needs the account's lock. */
async function requireOtherOwner(client: PoolClient, accountId: string, userId: string): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM member WHERE account_id = $1 AND user_id <> $2 AND role = 'owner' LIMIT 1",
    [accountId, userId],
  )
  if (!rowCount)
    throw new ServiceError("invalid_request", {
      message: "An account needs an owner. Make another member an owner first.",
    })
}

/** Sets the role of a member, and queues a mail about it to the owners and to the member. */
async function setRole(client: PoolClient, accountId: string, userId: string, role: Role): Promise<void> {
  await client.query("UPDATE member SET role = $3 WHERE account_id = $1 AND user_id = $2", [accountId, userId, role])
  if (role !== "owner") await endAutoTopup(client, { accountId, userId })
  const facts = { userId: publicId("usr", userId), role }
  await queueMail(client, { accountId, kind: "member_role", source: `role:${newId()}`, facts, alsoTo: userId })
}

/**
 * Throws `forbidden` unless the actor still has the right. Needs the account's lock: another owner may have changed the actor's role
 * since the request began.
 */
export async function requireStillOwner(client: PoolClient, { accountId, userId }: UserActor): Promise<void> {
  const { rows } = await client.query("SELECT role FROM member WHERE account_id = $1 AND user_id = $2", [
    accountId,
    userId,
  ])
  if (rows[0]?.role !== "owner") throw new ServiceError("forbidden", { message: "You are no longer an owner." })
}

/** Gives a member another role, at once. Throws `not_found`, and `invalid_request` for the last owner. */
export async function changeRole(actor: UserActor, input: ChangeRoleInput): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor)
  const { id, role } = parseInput(ChangeRoleInput, input)
  const userId = parsePublicId("usr", id)
  if (!userId) throw noSuchMember()
  const { accountId } = actor
  await inTransaction(runtime().pool, async (client) => {
    const before = await lockMember(client, accountId, userId)
    await requireStillOwner(client, actor)
    if (before === role) return
    if (before === "owner") await requireOtherOwner(client, accountId, userId)
    await setRole(client, accountId, userId, role)
    await recordAudit(client, actor, { action: "member.role", subject: id, detail: role })
  })
  return { id }
}

/** Makes another member an owner and the actor a developer, in one transaction. Throws `not_found`. */
export async function transferOwnership(actor: UserActor, input: MemberInput): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor)
  const { id } = parseInput(MemberInput, input)
  const userId = parsePublicId("usr", id)
  if (!userId || userId === actor.userId) throw noSuchMember()
  const { accountId } = actor
  await inTransaction(runtime().pool, async (client) => {
    await lockMember(client, accountId, userId)
    await requireStillOwner(client, actor)
    await setRole(client, accountId, userId, "owner")
    await setRole(client, accountId, actor.userId, "developer")
    await recordAudit(client, actor, { action: "member.transfer", subject: id })
  })
  return { id }
}

/** Queues a mail to a member whom the actor removes. */
async function queueFarewellTo(client: PoolClient, actor: UserActor, userId: string): Promise<void> {
  const { rows } = await client.query<{ email: string }>("SELECT email FROM app_user WHERE id = $1", [userId])
  const to = rows.map(({ email }) => email)
  await queueFarewell(client, { accountId: actor.accountId, kind: "member_removed", to, byUserId: actor.userId })
}

async function deleteMember(client: PoolClient, actor: UserActor, userId: string): Promise<() => void> {
  const { accountId } = actor
  const role = await lockMember(client, accountId, userId)
  const isSelf = userId === actor.userId
  if (!isSelf) await requireStillOwner(client, actor)
  if (role === "owner") await requireOtherOwner(client, accountId, userId)
  if (!isSelf) await queueFarewellTo(client, actor, userId)
  await client.query("DELETE FROM member WHERE account_id = $1 AND user_id = $2", [accountId, userId])
  await endAutoTopup(client, { accountId, userId })
  const subject = publicId("usr", userId)
  await recordAudit(client, actor, { action: isSelf ? "member.leave" : "member.remove", subject })
  return endSessionsOfMember(client, actor, userId)
}

/**
 * Removes a member. Every process refuses the member with the next request, and the sessions that show the account end. Keys that
 * the member created stay. Queues a mail to the member. Throws `not_found`, and `invalid_request` for the last owner.
 */
export async function removeMember(actor: UserActor, input: MemberInput): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor)
  const { id } = parseInput(MemberInput, input)
  const userId = parsePublicId("usr", id)
  if (!userId) throw noSuchMember()
  const recordEnds = await inTransaction(runtime().pool, (client) => deleteMember(client, actor, userId))
  recordEnds()
  return { id }
}

/** Removes the actor from the account, and ends the sessions that show it. Throws `invalid_request` for the last owner. */
export async function leaveAccount(actor: UserActor): Promise<{ left: true }> {
  requireRight(actor, "account.read")
  const recordEnds = await inTransaction(runtime().pool, (client) => deleteMember(client, actor, actor.userId))
  recordEnds()
  return { left: true }
}
