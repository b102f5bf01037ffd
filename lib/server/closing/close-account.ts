import { accountName } from "@/lib/server/accounts/account-name"
import { enterStatus } from "@/lib/server/auth/account-status"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueFarewell } from "@/lib/server/mail/queue-mail"
import { requireStillOwner } from "@/lib/server/members/change-members"
import { eraseOutcomes } from "@/lib/server/outcomes/drop-outcomes"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CloseAccountInput } from "@/lib/shared/accounts/closing"
import { ServiceError } from "@/lib/shared/errors"
import { eraseAccount } from "./erase"

const MEMBERS = "SELECT u.email FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.account_id = $1"

/**
 * Closes the actor's account for good and erases its personal data. Its keys are refused on every process within 2 s, the sessions that
 * show it end, and its members lose access. The ledger stays, with the remaining credit. Queues a mail to every member. Throws
 * `invalid_request` when the typed name is another one or a top-up is open, and `forbidden` and `confirmation_required`.
 */
export async function closeAccount(
  runtime: Runtime,
  actor: UserActor,
  { name }: CloseAccountInput,
): Promise<{ closed: true }> {
  requireRight(actor, "account.close")
  requireConfirmed(actor, "closeAccount")
  const { accountId, userId } = actor
  if (name !== (await accountName(runtime, accountId)))
    throw new ServiceError("invalid_request", { param: "name", message: "This is not the name of the account." })
  const recordEnds = await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, accountId)
    await requireStillOwner(client, actor)
    const { rows } = await client.query<Row<"User", "email">>(MEMBERS, [accountId])
    const to = rows.map(({ email }) => email)
    await queueFarewell(client, { accountId, kind: "account_closed", to, byUserId: userId })
    const recordEnds = await enterStatus(runtime, client, actor, "closed")
    await eraseAccount(client, accountId)
    return recordEnds
  })
  recordEnds()
  await eraseOutcomes(runtime, accountId)
  return { closed: true }
}
