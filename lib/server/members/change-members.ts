import type { PoolClient } from "pg"
import { keepAccountName } from "@/lib/server/accounts/account-name"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { endSessionsOfMember } from "@/lib/server/auth/sessions"
import { endAutoTopup, reportCardEnd } from "@/lib/server/billing/saved-card"
import { queueEvent } from "@/lib/server/events/queue-event"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { BY_PROVIDER } from "@/lib/server/mail/member-notices"
import { queueFarewell, queueMail } from "@/lib/server/mail/queue-mail"
import {
  type AccountActor,
  type AccountOperator,
  type MemberManager,
  type ProviderActor,
  requireConfirmed,
  requireRight,
  type UserActor,
} from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { requireStillAllowed } from "@/lib/server/platform/still-allowed"
import type { ChangeRoleInput, MemberCard, MemberInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { revokeSentInvitations } from "./revoke-sent-invitations"

export const noSuchMember = () => new ServiceError("not_found", { message: "There is no such member." })

/** Locks the account, so that its members change one at a time, and returns the role of one. Throws `not_found`. */
export async function lockMember(client: PoolClient, accountId: string, userId: string | null): Promise<Role> {
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

/**
 * Sets the role of a member. The account keeps its name. Unless the new role is owner, it revokes the open invitations that the
 * member sent and removes the card that the member saved. Returns what happened to the card.
 */
export async function setRole(
  client: PoolClient,
  actor: AccountActor,
  userId: string,
  role: Role,
): Promise<MemberCard> {
  const { accountId } = actor
  await keepAccountName(client, accountId)
  await client.query(
    `UPDATE member SET role = $3, owner_until = CASE WHEN role = 'owner' THEN now() ELSE owner_until END
     WHERE account_id = $1 AND user_id = $2`,
    [accountId, userId, role],
  )
  if (role === "owner") return "none"
  await revokeSentInvitations(client, actor, userId)
  return endAutoTopup(client, actor, userId)
}

/** What one change of roles is mailed as. The mail's facts name the card, so its readers get no second mail about that. */
type RoleMail =
  | { kind: "member_role"; facts: { userId: string; role: Role }; alsoTo: string }
  | { kind: "ownership_transferred"; facts: { userId: string }; alsoTo: string }

/**
 * Queues one mail about a change of roles to each owner and to the member whose role changed. If automatic top-up ended with
 * the member's card, the other payers get a mail about that.
 */
export async function reportRoles(
  client: PoolClient,
  actor: MemberManager | ProviderActor,
  mail: RoleMail,
  card: MemberCard,
): Promise<void> {
  const { accountId } = actor
  const source = `role:${newId()}`
  const facts = {
    ...mail.facts,
    byUserId: actor.type === "provider" ? BY_PROVIDER : publicId("usr", actor.userId),
    card,
  }
  await queueMail(client, { ...mail, accountId, source, facts } as Parameters<typeof queueMail>[1])
  if (card === "charged") await reportCardEnd(client, accountId, "owner_left", source)
}

/**
 * Throws `forbidden` unless the actor, or the creator of the actor's token, is still an owner, and `invalid_api_key` when the token ended.
 * Needs the account's lock: another owner may have changed the actor's role since the request began.
 */
export async function requireStillOwner(client: PoolClient, actor: MemberManager): Promise<void> {
  const { rows } = await client.query("SELECT role FROM member WHERE account_id = $1 AND user_id = $2", [
    actor.accountId,
    actor.userId,
  ])
  if (rows[0]?.role !== "owner") throw new ServiceError("forbidden", { message: "You are no longer an owner." })
  if (actor.type === "token") await requireStillAllowed(client, actor)
}

/** Throws `forbidden` for a token when an owner comes or goes, because the account would change hands without a person. */
export function refuseTokenOnOwners(actor: MemberManager, ...roles: Role[]): void {
  if (actor.type === "token" && roles.includes("owner"))
    throw new ServiceError("forbidden", { message: "A token cannot make, change or remove an owner." })
}

/**
 * Gives a member another role, at once. Throws `not_found`, `confirmation_required`, which for the role of an owner names
 * `transferOwnership`, `forbidden` for a token and an owner, and `invalid_request` for the last owner.
 */
export async function changeRole(
  { pool }: Runtime,
  actor: MemberManager,
  { id, role }: ChangeRoleInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor, role === "owner" ? "transferOwnership" : "changeRole")
  const userId = parsePublicId("usr", id)
  if (!userId) throw noSuchMember()
  const { accountId } = actor
  await inTransaction(pool, async (client) => {
    const before = await lockMember(client, accountId, userId)
    await requireStillOwner(client, actor)
    refuseTokenOnOwners(actor, before, role)
    if (before === role) return
    if (before === "owner") {
      requireConfirmed(actor, "transferOwnership")
      await requireOtherOwner(client, accountId, userId)
    }
    const card = await setRole(client, actor, userId, role)
    await reportRoles(client, actor, { kind: "member_role", facts: { userId: id, role }, alsoTo: userId }, card)
    await recordAudit(client, actor, { action: "member.role", subject: id, detail: role })
  })
  return { id }
}

type Remover = MemberManager | AccountOperator | ProviderActor

/** Returns how the mail to a removed member says who did it. */
function farewellBy(actor: Remover, userId: string) {
  // These two are named by the kind of the mail, which ignores the user.
  if (actor.type === "operator") return { kind: "removed_by_operator", byUserId: userId } as const
  if (actor.type === "provider") return { kind: "removed_by_provider", byUserId: userId } as const
  return { kind: "member_removed", byUserId: actor.userId } as const
}

/** Queues a mail to a member whom another person or the OpenID provider removes. */
async function queueFarewellTo(
  client: PoolClient,
  actor: Remover,
  { userId, card }: { userId: string; card: MemberCard },
): Promise<void> {
  const { rows } = await client.query<Row<"User", "email">>("SELECT email FROM app_user WHERE id = $1", [userId])
  const to = rows.map(({ email }) => email)
  await queueFarewell(client, { accountId: actor.accountId, ...farewellBy(actor, userId), to, card })
}

/**
 * Takes a user out of the actor's account, in the transaction of `client`, which must hold the account's lock. The caller checks the
 * right, and that an owner stays. Returns a function that records the ended sessions, to be called after the transaction.
 */
export async function takeOut(
  runtime: Runtime,
  client: PoolClient,
  actor: Remover,
  userId: string,
): Promise<() => void> {
  const { accountId } = actor
  const isSelf = actor.type === "user" && userId === actor.userId
  await keepAccountName(client, accountId)
  await client.query("DELETE FROM member WHERE account_id = $1 AND user_id = $2", [accountId, userId])
  await revokeSentInvitations(client, actor, userId)
  const card = await endAutoTopup(client, actor, userId)
  if (card === "charged") await reportCardEnd(client, accountId, "owner_left")
  if (!isSelf) await queueFarewellTo(client, actor, { userId, card })
  const subject = publicId("usr", userId)
  await recordAudit(client, actor, { action: isSelf ? "member.leave" : "member.remove", subject })
  const data = { account_id: publicId("acc", accountId), user_id: subject }
  await queueEvent(client, { accountId, type: "member.left", source: `member:${newId()}`, data })
  return endSessionsOfMember(runtime, client, actor, userId)
}

async function deleteMember(
  runtime: Runtime,
  client: PoolClient,
  actor: MemberManager,
  userId: string,
): Promise<() => void> {
  const { accountId } = actor
  const role = await lockMember(client, accountId, userId)
  if (actor.type === "token" || userId !== actor.userId) await requireStillOwner(client, actor)
  refuseTokenOnOwners(actor, role)
  if (role === "owner") {
    await requireOtherOwner(client, accountId, userId)
    requireConfirmed(actor, "transferOwnership")
  }
  return takeOut(runtime, client, actor, userId)
}

/**
 * Removes a member. Every process refuses the member with the next request, and the sessions that show the account end. What the
 * member created stays until `endLeft`, and open invitations that the member sent are revoked. Queues a mail to the member. Throws `not_found`,
 * `forbidden` for a token and an owner, and `invalid_request` for the last owner.
 */
export async function removeMember(
  runtime: Runtime,
  actor: MemberManager,
  { id }: MemberInput,
): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  requireConfirmed(actor, "removeMember")
  const userId = parsePublicId("usr", id)
  if (!userId) throw noSuchMember()
  const recordEnds = await inTransaction(runtime.pool, (client) => deleteMember(runtime, client, actor, userId))
  recordEnds()
  return { id }
}

/**
 * Removes the actor from the account, ends the sessions that show it and revokes the open invitations that the actor sent. Throws
 * `invalid_request` for the last owner, and `confirmation_required` for another owner.
 */
export async function leaveAccount(runtime: Runtime, actor: UserActor): Promise<{ left: true }> {
  requireRight(actor, "account.read")
  const recordEnds = await inTransaction(runtime.pool, (client) => deleteMember(runtime, client, actor, actor.userId))
  recordEnds()
  return { left: true }
}
