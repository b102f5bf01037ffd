import { recordAudit } from "@/lib/server/audit/record-audit"
import { endSessionsForOperator } from "@/lib/server/auth/sessions"
import { takeOut } from "@/lib/server/members/change-members"
import { type OperatorActor, operatorFor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { deletePerson, lockAll, type Membership } from "./delete-person"
import { readPerson } from "./find-person"

export interface ActForPersonInput {
  email: string
  /** Why the operator acts, such as the number of the letter. Only operators see it. */
  note: string
}

// The note follows the id. What an account sees of a subject is the id only.
const subjectOf = (userId: string, note: string): string => `${publicId("usr", userId)} ${note}`

function refuseSelf(operator: OperatorActor, userId: string): void {
  if (operator.userId === userId)
    throw new ServiceError("invalid_request", { message: "This is your own user. Another operator can do this." })
}

/** Ends every session of a person. For the operator. Throws `not_found`. */
export async function endPersonSessions(
  runtime: Runtime,
  operator: OperatorActor,
  { email, note }: ActForPersonInput,
): Promise<{ ended: number }> {
  requireRight(operator, "service.operate")
  const { id: userId } = await readPerson(runtime, email)
  const { count, recordEnds } = await inTransaction(runtime.pool, async (client) => {
    await recordAudit(client, operator, { action: "person.end_sessions", subject: subjectOf(userId, note) })
    return endSessionsForOperator(runtime, client, operator, userId)
  })
  recordEnds()
  return { ended: count }
}

function refuseOnlyOwner({ is_last_owner, status, shown }: Membership): void {
  if (is_last_owner && status !== "closed")
    throw new ServiceError("invalid_request", {
      message: `This person is the only owner of “${shown}”, which has other members. Another member must become an owner first, or the account be closed.`,
    })
}

/**
 * Removes a person from every account that has other members, as `removeMember` does from one: from all or from none. Accounts that nobody
 * else is in stay the person's own. For the operator. Throws `not_found`, and `invalid_request` for the only owner of such an account.
 */
export async function removePerson(
  runtime: Runtime,
  operator: OperatorActor,
  { email, note }: ActForPersonInput,
): Promise<{ removed: number }> {
  requireRight(operator, "service.operate")
  const { id: userId } = await readPerson(runtime, email)
  refuseSelf(operator, userId)
  const records = await inTransaction(runtime.pool, async (client) => {
    const shared = (await lockAll(client, { userId, email })).filter(({ others }) => others > 0)
    shared.forEach(refuseOnlyOwner)
    const records: (() => void)[] = []
    for (const { id } of shared) records.push(await takeOut(runtime, client, operatorFor(id, operator), userId))
    await recordAudit(client, operator, { action: "person.remove", subject: subjectOf(userId, note) })
    return records
  })
  for (const record of records) record()
  return { removed: records.length }
}

/** Returns an account under which a mail to the person can be queued. Null for a person who was never in one that is still known. */
async function accountOf({ pool }: Runtime, userId: string): Promise<string | null> {
  const { rows } = await pool.query<Row<"Member", "account_id">>(
    `SELECT account_id FROM member WHERE user_id = $1
     UNION ALL SELECT account_id FROM topup WHERE user_id = $1 LIMIT 1`,
    [userId],
  )
  return rows[0]?.account_id ?? null
}

/**
 * Deletes a person, as `deleteUser` does, and mails that to the address. `isMailed` is false for a person without an account: the operator
 * replies to the letter. For the operator. Throws `not_found`, and what `deletePerson` refuses.
 */
export async function erasePerson(
  runtime: Runtime,
  operator: OperatorActor,
  { email, note }: ActForPersonInput,
): Promise<{ isMailed: boolean }> {
  requireRight(operator, "service.operate")
  const { id: userId } = await readPerson(runtime, email)
  refuseSelf(operator, userId)
  const mailIn = await accountOf(runtime, userId)
  const audit = { action: "person.erase", subject: subjectOf(userId, note) } as const
  await deletePerson(runtime, operator, { userId, email, mailIn }, audit)
  return { isMailed: mailIn !== null }
}
