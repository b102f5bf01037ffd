import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { enterStatus } from "@/lib/server/auth/account-status"
import { endSessionsForOperator, endSessionsOfUser } from "@/lib/server/auth/sessions"
import { endAutoTopup, reportCardEnd } from "@/lib/server/billing/saved-card"
import { queueFarewell } from "@/lib/server/mail/queue-mail"
import { revokeSentInvitations } from "@/lib/server/members/revoke-sent-invitations"
import { eraseOutcomes } from "@/lib/server/outcomes/drop-outcomes"
import type { OperatorActor, UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { eraseAccount, eraseUser } from "./erase"

export type Membership = Row<"Account", "id" | "status" | "balance_pico"> & {
  role: Role
  shown: string
  is_last_owner: boolean
  others: number
}

/** The accounts of a user, by the user's UUID. */
export const ACCOUNTS = `
  SELECT a.id, a.status, a.balance_pico, m.role, account_name(a.id) AS shown,
    m.role = 'owner' AND NOT EXISTS (SELECT FROM member o
      WHERE o.account_id = a.id AND o.role = 'owner' AND o.user_id <> m.user_id) AS is_last_owner,
    (SELECT count(*)::int FROM member o WHERE o.account_id = a.id AND o.user_id <> m.user_id) AS others
  FROM member m JOIN account a ON a.id = m.account_id
  WHERE m.user_id = $1 ORDER BY a.id`

/** The person who is deleted. `mailIn` is the UUID of an account under which the mail about it is queued. */
export interface DeletedPerson {
  userId: string
  email: string
  mailIn: string | null
}

type Deleter = UserActor | OperatorActor

function refuse({ shown: name, others, status }: Membership, { type }: Deleter): void {
  if (status === "suspended")
    throw new ServiceError("invalid_request", {
      message:
        type === "operator"
          ? `The account “${name}” is suspended. Close or resume it first.`
          : `The account “${name}” is suspended. Ask the operator before you delete your user.`,
    })
  if (others > 0)
    throw new ServiceError("invalid_request", {
      message:
        type === "operator"
          ? `This person is the only owner of “${name}”, which has other members. Another member must become an owner first, or the account be closed.`
          : `You are the only owner of “${name}”, which has other members. Make one of them an owner, or close the account first.`,
    })
}

/** Locks the user's accounts, then the user, so that nobody joins, leaves or gets another address meanwhile. Returns the accounts. */
export async function lockAll(
  client: PoolClient,
  { userId, email }: Pick<DeletedPerson, "userId" | "email">,
): Promise<Membership[]> {
  const { rows: before } = await client.query<Membership>(ACCOUNTS, [userId])
  const ids = before.map(({ id }) => id)
  await client.query("SELECT FROM account WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE", [ids])
  const person = await client.query<Row<"User", "email">>("SELECT email FROM app_user WHERE id = $1 FOR UPDATE", [
    userId,
  ])
  const { rows } = await client.query<Membership>(ACCOUNTS, [userId])
  if (rows.map(({ id }) => id).join() !== ids.join() || person.rows[0]?.email !== email)
    throw new ServiceError("invalid_request", { message: "The accounts changed just now. Try again." })
  return rows
}

/** What is left to do once the transaction is committed. */
type AfterCommit = () => void | Promise<void>

async function leave(
  runtime: Runtime,
  client: PoolClient,
  actor: Deleter,
  userId: string,
  account: Membership,
): Promise<AfterCommit> {
  const by = { ...actor, accountId: account.id }
  if (!account.is_last_owner || account.status === "closed") {
    const leaving = actor.type === "operator" ? "member.remove" : "member.leave"
    await revokeSentInvitations(client, by, userId)
    await recordAudit(client, by, { action: leaving, subject: publicId("usr", userId) })
    if ((await endAutoTopup(client, by, userId)) === "charged") await reportCardEnd(client, account.id, "owner_left")
    return () => {}
  }
  refuse(account, actor)
  const recordEnds = await enterStatus(runtime, client, by, "closed")
  await eraseAccount(client, account.id)
  return async () => {
    recordEnds()
    await eraseOutcomes(runtime, account.id)
  }
}

/**
 * Deletes a person: ends every session, leaves every account, and erases the personal data. Closes accounts that nobody else is in.
 * `audit` is the entry of the deletion itself. Throws `invalid_request` for the last owner of an account that has other members or an open
 * top-up, or is suspended, and when the accounts or the address changed meanwhile.
 */
export async function deletePerson(
  runtime: Runtime,
  actor: Deleter,
  person: DeletedPerson,
  audit: Parameters<typeof recordAudit>[2],
): Promise<void> {
  const { userId, email, mailIn } = person
  const records = await inTransaction(runtime.pool, async (client) => {
    const records: AfterCommit[] = []
    for (const account of await lockAll(client, person))
      records.push(await leave(runtime, client, actor, userId, account))
    records.push(
      actor.type === "operator"
        ? (await endSessionsForOperator(runtime, client, actor, userId)).recordEnds
        : await endSessionsOfUser(runtime, client, actor),
    )
    await recordAudit(client, actor, audit)
    await eraseUser(runtime, client, person)
    if (mailIn !== null)
      await queueFarewell(client, { accountId: mailIn, kind: "user_deleted", to: [email], byUserId: userId })
    return records
  })
  for (const record of records) await record()
}
