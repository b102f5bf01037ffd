import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { AccountNameInput, OwnAccount } from "@/lib/shared/accounts/members"
import type { Role } from "@/lib/shared/accounts/roles"

/** Returns the name of an account by its UUID. Empty for an account without an owner, and for an unknown one. */
export async function accountName({ pool }: Runtime, accountId: string): Promise<string> {
  const { rows } = await pool.query<{ shown: string | null }>("SELECT account_name($1) AS shown", [accountId])
  return rows[0]?.shown ?? ""
}

// The address is not copied, so erasing its user erases it here too.
const KEEP = `
  UPDATE account a SET named_after = (SELECT user_id FROM member
    WHERE account_id = a.id AND role = 'owner' ORDER BY created_at LIMIT 1)
  WHERE a.id = $1 AND NOT EXISTS (SELECT FROM app_user u WHERE u.id = a.named_after AND u.erased_at IS NULL)`

/** Keeps the name of an account that is named after its first owner, in the transaction of `client`, before its owners change. */
export async function keepAccountName(client: ClientBase, accountId: string): Promise<void> {
  await client.query(KEEP, [accountId])
}

/** Returns the active accounts that the user is in: the current one first, then by name. Equal names get the endings of their ids. */
export async function listOwnAccounts({ pool }: Runtime, actor: UserActor): Promise<OwnAccount[]> {
  const { rows } = await pool.query<Row<"Account", "id"> & { shown: string; role: Role }>(
    `SELECT a.id, account_name(a.id) AS shown, m.role FROM member m JOIN account a ON a.id = m.account_id AND a.status = 'active'
     WHERE m.user_id = $1 ORDER BY a.id = $2 DESC, shown, a.id`,
    [actor.userId, actor.accountId],
  )
  const own = rows.map(({ id, shown: name, role }) => ({
    id: publicId("acc", id),
    name,
    role,
    isCurrent: id === actor.accountId,
  }))
  const isShared = ({ id, name }: OwnAccount) => own.some((other) => other.name === name && other.id !== id)
  return own.map((account) =>
    isShared(account) ? { ...account, name: `${account.name} …${account.id.slice(-4)}` } : account,
  )
}

/** Gives the actor's account a name. Needs `account.manage`. */
export async function renameAccount(
  { pool }: Runtime,
  actor: UserActor,
  { name }: AccountNameInput,
): Promise<{ name: string }> {
  requireRight(actor, "account.manage")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await client.query("UPDATE account SET name = $2 WHERE id = $1", [actor.accountId, name])
    await recordAudit(client, actor, { action: "account.rename", subject: actor.accountId })
  })
  return { name }
}
