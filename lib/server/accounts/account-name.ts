import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { type OwnAccount, RenameAccountInput } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"

/** SQL. The name of an account `a`: what an owner chose, or the address of its first owner. */
const NAME = `coalesce(a.name, (SELECT u.email FROM member o JOIN app_user u ON u.id = o.user_id
  WHERE o.account_id = a.id AND o.role = 'owner' ORDER BY o.created_at LIMIT 1), '')`

/** Returns the name of an account by its UUID. */
export async function accountName(accountId: string): Promise<string> {
  const { rows } = await runtime().pool.query<{ name: string }>(
    `SELECT ${NAME} AS name FROM account a WHERE a.id = $1`,
    [accountId],
  )
  return rows[0]?.name ?? ""
}

/** Returns the active accounts that the user is in: the current one first, then by name. */
export async function listOwnAccounts(actor: UserActor): Promise<OwnAccount[]> {
  const { rows } = await runtime().pool.query<{ id: string; name: string; role: Role }>(
    `SELECT a.id, ${NAME} AS name, m.role FROM member m JOIN account a ON a.id = m.account_id AND a.status = 'active'
     WHERE m.user_id = $1 ORDER BY a.id = $2 DESC, name, a.id`,
    [actor.userId, actor.accountId],
  )
  return rows.map(({ id, name, role }) => ({
    id: publicId("acc", id),
    name,
    role,
    isCurrent: id === actor.accountId,
  }))
}

/** Gives the actor's account a name. Needs `account.manage`. */
export async function renameAccount(actor: UserActor, input: RenameAccountInput): Promise<{ name: string }> {
  requireRight(actor, "account.manage")
  const { name } = parseInput(RenameAccountInput, input)
  await inTransaction(runtime().pool, async (client) => {
    await client.query("UPDATE account SET name = $2 WHERE id = $1", [actor.accountId, name])
    await recordAudit(client, actor, { action: "account.rename", subject: actor.accountId })
  })
  return { name }
}
