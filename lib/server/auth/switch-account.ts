import type { PoolClient } from "pg"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"

/**
 * Selects an account in the actor's session and in later sessions of the user, in the transaction of `client`. Returns false unless the
 * user is a member of it and it is active.
 */
export async function showAccount(
  client: PoolClient,
  { accountId, userId, sessionId }: Pick<UserActor, "accountId" | "userId" | "sessionId">,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE member m SET chosen_at = clock_timestamp() FROM account a
     WHERE m.account_id = $1 AND m.user_id = $2 AND a.id = m.account_id AND a.status = 'active'`,
    [accountId, userId],
  )
  if (!rowCount) return false
  await client.query("UPDATE session SET account_id = $1 WHERE id = $2 AND user_id = $3", [
    accountId,
    sessionId,
    userId,
  ])
  return true
}

/**
 * Selects another account of the user, `acc_…`. Changes nothing and returns false unless the user is a member of it and it is active.
 * Only the user sees the effect, so it has no audit entry.
 */
export async function switchAccount({ pool }: Runtime, actor: UserActor, { id }: { id: string }): Promise<boolean> {
  const accountId = parsePublicId("acc", id)
  if (!accountId) return false
  return inTransaction(pool, (client) => showAccount(client, { ...actor, accountId }))
}
