import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import type { UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type AccountNameInput, MAX_OWNED_ACCOUNTS } from "@/lib/shared/accounts/members"
import { ServiceError } from "@/lib/shared/errors"
import { insertAccountOf, UserDeleted } from "./create-account"

const OWNED = `
  SELECT a.status, count(*)::int FROM member m JOIN account a ON a.id = m.account_id AND a.status <> 'closed'
  WHERE m.user_id = $1 AND m.role = 'owner' GROUP BY a.status`

/** Throws for a user who owns a suspended account or too many. Needs the user's lock. */
async function requireRoom(client: PoolClient, userId: string): Promise<void> {
  const { rows } = await client.query<Row<"Account", "status"> & { count: number }>(OWNED, [userId])
  if (rows.some(({ status }) => status === "suspended"))
    throw new ServiceError("forbidden", {
      message: "One of your accounts is suspended. Ask the operator before you add another one.",
    })
  if (rows.reduce((sum, { count }) => sum + count, 0) >= MAX_OWNED_ACCOUNTS)
    throw new ServiceError("rate_limited", {
      message: `You can own ${MAX_OWNED_ACCOUNTS} accounts. Close one that is not used.`,
    })
}

/**
 * Adds an account that the actor owns, with its Playground key and without credit. The session still shows the actor's account, and
 * no key moves. Every user may, in any account. Throws `rate_limited` for the owner of 20 accounts, and `forbidden` for the owner of
 * a suspended one.
 */
export async function addAccount(
  runtime: Runtime,
  actor: UserActor,
  { name }: AccountNameInput,
): Promise<{ id: string; name: string }> {
  const { userId } = actor
  const accountId = await inTransaction(runtime.pool, async (client) => {
    const user = await client.query("SELECT FROM app_user WHERE id = $1 AND erased_at IS NULL FOR UPDATE", [userId])
    if (!user.rowCount) throw new UserDeleted()
    await requireRoom(client, userId)
    const added = await insertAccountOf(runtime, client, userId, name)
    await recordAudit(client, { ...actor, accountId: added }, { action: "account.create", subject: added })
    return added
  })
  return { id: publicId("acc", accountId), name }
}
