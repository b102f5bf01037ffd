import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueEvent } from "@/lib/server/events/queue-event"
import type { JoinedBy } from "@/lib/server/mail/member-notices"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { ProviderActor, VisitorActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Role } from "@/lib/shared/accounts/roles"

/** Locks an account, also a suspended one. Returns false for one that is closed, which has no members. */
export async function lockOpenAccount(client: PoolClient, accountId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM account WHERE id = $1 AND status <> 'closed' FOR NO KEY UPDATE",
    [accountId],
  )
  return rowCount === 1
}

/**
 * Makes a user who accepts no invitation a member of the actor's account, in the transaction of `client`, which must hold the account's
 * lock. Later sessions of the user show the account. The user must not be a member.
 */
export async function addMember(
  client: PoolClient,
  actor: ProviderActor | (VisitorActor & { accountId: string }),
  { userId, role, through }: { userId: string; role: Role; through: JoinedBy },
): Promise<void> {
  const { accountId } = actor
  await client.query(
    "INSERT INTO member (account_id, user_id, role, chosen_at) VALUES ($1, $2, $3, clock_timestamp())",
    [accountId, userId, role],
  )
  const subject = publicId("usr", userId)
  const source = `joining:${newId()}`
  await queueMail(client, { accountId, kind: "member_joined", source, facts: { userId: subject, role, through } })
  const data = { account_id: publicId("acc", accountId), user_id: subject, role }
  await queueEvent(client, { accountId, type: "member.joined", source, data })
  const action = actor.type === "visitor" ? "member.join" : "member.add"
  await recordAudit(client, actor, { action, subject, detail: role })
}
