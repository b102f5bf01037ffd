import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { enterStatus } from "@/lib/server/auth/account-status"
import { endSessionsOfUser } from "@/lib/server/auth/sessions"
import { endAutoTopup, reportCardEnd } from "@/lib/server/billing/saved-card"
import { queueFarewell } from "@/lib/server/mail/queue-mail"
import { revokeSentInvitations } from "@/lib/server/members/revoke-sent-invitations"
import { eraseOutcomes } from "@/lib/server/outcomes/drop-outcomes"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { DeleteUserInput, OwnedAccount } from "@/lib/shared/accounts/closing"
import { ServiceError } from "@/lib/shared/errors"
import { pico, usd12 } from "@/lib/shared/money"
import { eraseAccount, eraseUser } from "./erase"

type Membership = Row<"Account", "id" | "status" | "balance_pico"> & {
  shown: string
  is_last_owner: boolean
  others: number
}

const ACCOUNTS = `
  SELECT a.id, a.status, a.balance_pico, account_name(a.id) AS shown,
    m.role = 'owner' AND NOT EXISTS (SELECT FROM member o
      WHERE o.account_id = a.id AND o.role = 'owner' AND o.user_id <> m.user_id) AS is_last_owner,
    (SELECT count(*)::int FROM member o WHERE o.account_id = a.id AND o.user_id <> m.user_id) AS others
  FROM member m JOIN account a ON a.id = m.account_id
  WHERE m.user_id = $1 ORDER BY a.id`

/** Returns the accounts, not closed, that have no other owner than the actor. Deleting the actor closes them, or is refused. */
export async function listOwnedAlone({ pool }: Runtime, actor: UserActor): Promise<OwnedAccount[]> {
  requireRight(actor, "account.read")
  const { rows } = await pool.query<Membership>(ACCOUNTS, [actor.userId])
  return rows
    .filter((row) => row.is_last_owner && row.status !== "closed")
    .map((row) => ({
      id: publicId("acc", row.id),
      name: row.shown,
      balanceUsd: usd12(pico(row.balance_pico)),
      others: row.others,
    }))
}

function refuse({ shown: name, others, status }: Membership): void {
  if (status === "suspended")
    throw new ServiceError("invalid_request", {
      message: `The account “${name}” is suspended. Ask the operator before you delete your user.`,
    })
  if (others > 0)
    throw new ServiceError("invalid_request", {
      message: `You are the only owner of “${name}”, which has other members. Make one of them an owner, or close the account first.`,
    })
}

/** Locks the user's accounts, then the user, so that nobody joins or leaves meanwhile. Returns the accounts. */
async function lockAll(client: PoolClient, userId: string): Promise<Membership[]> {
  const { rows: before } = await client.query<Membership>(ACCOUNTS, [userId])
  const ids = before.map(({ id }) => id)
  await client.query("SELECT FROM account WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE", [ids])
  await client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [userId])
  const { rows } = await client.query<Membership>(ACCOUNTS, [userId])
  if (rows.map(({ id }) => id).join() !== ids.join())
    throw new ServiceError("invalid_request", { message: "Your accounts changed just now. Try again." })
  return rows
}

/** What is left to do once the transaction is committed. */
type AfterCommit = () => void | Promise<void>

async function leave(
  runtime: Runtime,
  client: PoolClient,
  actor: UserActor,
  account: Membership,
): Promise<AfterCommit> {
  const by = { ...actor, accountId: account.id }
  if (!account.is_last_owner || account.status === "closed") {
    await revokeSentInvitations(client, by, actor.userId)
    await recordAudit(client, by, { action: "member.leave", subject: publicId("usr", actor.userId) })
    if ((await endAutoTopup(client, by, actor.userId)) === "charged")
      await reportCardEnd(client, account.id, "owner_left")
    return () => {}
  }
  refuse(account)
  const recordEnds = await enterStatus(runtime, client, by, "closed")
  await eraseAccount(client, account.id)
  return async () => {
    recordEnds()
    await eraseOutcomes(runtime, account.id)
  }
}

/**
 * Deletes the actor: ends every session, leaves every account, and erases the personal data. Accounts that nobody else is in
 * are closed. Throws `confirmation_required`, and `invalid_request` for another address than the actor's. Throws
 * `invalid_request` also for the last owner of an account that has other members or an open top-up, or is suspended.
 */
export async function deleteUser(
  runtime: Runtime,
  actor: UserActor,
  { email }: DeleteUserInput,
): Promise<{ deleted: true }> {
  requireRight(actor, "account.read")
  requireConfirmed(actor, "deleteUser")
  if (email !== actor.email)
    throw new ServiceError("invalid_request", { param: "email", message: "This is not your e-mail address." })
  const records = await inTransaction(runtime.pool, async (client) => {
    const records: AfterCommit[] = []
    for (const account of await lockAll(client, actor.userId))
      records.push(await leave(runtime, client, actor, account))
    records.push(await endSessionsOfUser(runtime, client, actor))
    await recordAudit(client, actor, { action: "user.delete", subject: publicId("usr", actor.userId) })
    await eraseUser(runtime, client, actor)
    const { accountId, userId } = actor
    await queueFarewell(client, { accountId, kind: "user_deleted", to: [email], byUserId: userId })
    return records
  })
  for (const record of records) await record()
  return { deleted: true }
}
