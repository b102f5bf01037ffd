import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireConfirmed, requireRight } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { RemoveBudgetInput, SetBudgetInput } from "@/lib/shared/keys/budget-inputs"
import { ACCOUNT, type Budget, TAG } from "@/lib/shared/keys/budgets"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"

type BudgetRow = Row<"Budget", "user_id" | "tag" | "limit_pico" | "spent_pico"> &
  Nullable<Row<"User", "email">> & { period: Budget["period"]; is_member: boolean; resets_at: Date }

const LIST = `
  SELECT b.user_id, b.tag, u.email, m.user_id IS NOT NULL AS is_member, b.period, b.limit_pico, spent_in_budget(b, day) AS spent_pico,
    budget_end(b, day) AS resets_at
  FROM account a CROSS JOIN LATERAL day_at(a, ledger_now()) AS day JOIN budget b ON b.account_id = a.id LEFT JOIN app_user u ON u.id = b.user_id
    LEFT JOIN member m ON m.account_id = b.account_id AND m.user_id = b.user_id
  WHERE a.id = $1 ORDER BY b.subject <> '', b.tag, u.email, b.period`

/** Returns the budgets of the actor's account: its own first, then those of tags, and of members by address. */
export async function listBudgets({ pool }: Runtime, actor: AccountActor): Promise<Budget[]> {
  requireRight(actor, "keys.read")
  const { rows } = await pool.query<BudgetRow>(LIST, [actor.accountId])
  return rows.map(({ user_id: userId, email, is_member: isMember, tag, period, ...row }) => ({
    member: userId === null ? null : { id: publicId("usr", userId), email: email ?? "", isMember },
    tag,
    period,
    limitUsd: usd12(pico(row.limit_pico)),
    spentUsd: usd12(pico(row.spent_pico)),
    resetsAt: row.resets_at.toISOString(),
  }))
}

const noSuchMember = () => new ServiceError("not_found", { message: "There is no such member." })

/** Returns the UUID of the member whose budget is meant; null for one of the account or a tag. Throws `not_found` for another text. */
function memberOf(of: string): string | null {
  if (of === ACCOUNT || of === TAG) return null
  const userId = parsePublicId("usr", of)
  if (!userId) throw noSuchMember()
  return userId
}

/** The budget of a person who left can be changed, because the keys of that person may still work. */
async function requireMember(client: PoolClient, accountId: string, userId: string): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM member WHERE account_id = $1 AND user_id = $2
     UNION ALL SELECT 1 FROM budget WHERE account_id = $1 AND user_id = $2`,
    [accountId, userId],
  )
  if (!rowCount) throw noSuchMember()
}

/** Returns what the audit log says of a change. The account and a tag have no public id, so the text names them. */
function auditOf({ of, tag }: { of: string; tag: string }, what: string) {
  if (memberOf(of) !== null) return { subject: of, detail: what }
  const name = tag ? `the tag ${tag}` : "the account"
  return { detail: `${name}: ${what}` }
}

/**
 * Limits what the account, the keys that a member created, or requests with a tag may spend in a day or month. It counts what was spent in the period
 * before. Throws `not_found` for a user who is no member and has no budget, and `confirmation_required`.
 */
export async function setBudget(
  { pool }: Runtime,
  actor: AccountActor,
  { of, tag, period, limitUsd }: SetBudgetInput,
): Promise<void> {
  requireRight(actor, "account.manage")
  requireConfirmed(actor, "setBudget")
  const { accountId } = actor
  const userId = memberOf(of)
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId)
    if (userId) await requireMember(client, accountId, userId)
    await client.query("SELECT set_budget($1, $2, $3, $4, $5, $6)", [
      newId(),
      accountId,
      userId,
      period,
      parseUsd(limitUsd),
      tag || null,
    ])
    await recordAudit(client, actor, { action: "budget.set", ...auditOf({ of, tag }, `${period} $${limitUsd}`) })
  })
}

/** Removes a budget. Throws `not_found` when there is none, and `confirmation_required`: more can be spent then. */
export async function removeBudget(
  { pool }: Runtime,
  actor: AccountActor,
  { of, tag, period }: RemoveBudgetInput,
): Promise<void> {
  requireRight(actor, "account.manage")
  requireConfirmed(actor, "removeBudget")
  const { accountId } = actor
  const userId = memberOf(of)
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId)
    const { rowCount } = await client.query(
      "DELETE FROM budget WHERE account_id = $1 AND subject = $2 AND period = $3",
      [accountId, userId ?? tag, period],
    )
    if (!rowCount) throw new ServiceError("not_found", { message: "There is no such budget." })
    await recordAudit(client, actor, { action: "budget.remove", ...auditOf({ of, tag }, period) })
  })
}
