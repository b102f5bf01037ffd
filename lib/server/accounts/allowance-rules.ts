import { recordAudit } from "@/lib/server/audit/record-audit"
import { THIS_MONTH } from "@/lib/server/billing/months"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { type Pico, pico, usd12 } from "@/lib/shared/money"
import type { AllowancePer } from "@/lib/shared/operator/allowance-per"

export interface SetAllowanceInput {
  /** A domain such as `example.com`, or an account, `acc_…`. */
  target: string
  per: AllowancePer
  amountPico: Pico
  /** Whether what is left of it stays with the account at the end of a month. */
  carriesOver: boolean
}

/** A rule by which the service credits an amount each UTC month. */
export interface Allowance {
  /** `alw_…` */
  id: string
  /** A domain, or an account, `acc_…`. */
  target: string
  /** The address of the account's first owner. Null for a domain, and for an account without an owner. */
  email: string | null
  per: AllowancePer
  amountUsd: string
  carriesOver: boolean
  /** How often it was credited this month, and the sum. */
  granted: number
  grantedUsd: string
}

/** Returns the account that a target names, or null for a domain. Throws `not_found`. */
async function accountOf({ pool }: Runtime, target: string): Promise<string | null> {
  if (!target.startsWith("acc_")) return null
  const accountId = parsePublicId("acc", target)
  const { rowCount } = await pool.query("SELECT FROM account WHERE id = $1", [accountId])
  if (accountId === null || !rowCount) throw new ServiceError("not_found", { message: "There is no such account." })
  return accountId
}

const SET = (key: "domain" | "account_id") => `
  INSERT INTO allowance_rule (id, domain, account_id, per, amount_pico, carries_over) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (${key}, per) DO UPDATE SET amount_pico = $5, carries_over = $6, ended_at = NULL RETURNING id`

/**
 * Has the service credit an amount each UTC month, from the next minute on, to the accounts of a domain's people or to one account, once
 * or for each member. Setting it again changes the amount from the next credit on, and credits nobody twice in a month. For the
 * operator. Throws `not_found` for an unknown account.
 */
export async function setAllowance(
  runtime: Runtime,
  actor: Actor,
  { target, per, amountPico, carriesOver }: SetAllowanceInput,
): Promise<{ id: string }> {
  requireRight(actor, "service.finance")
  const accountId = await accountOf(runtime, target)
  return inTransaction(runtime.pool, async (client) => {
    const { rows } = await client.query<Row<"AllowanceRule", "id">>(SET(accountId ? "account_id" : "domain"), [
      newId(),
      accountId ? null : target,
      accountId,
      per,
      amountPico,
      carriesOver,
    ])
    const id = publicId("alw", rows[0]?.id ?? "")
    const detail = `${formatExactUsd(amountPico)} per ${per} of ${target}`
    await recordAudit(client, actor, { action: "allowance.set", subject: id, detail })
    return { id }
  })
}

/**
 * Ends a rule. What it credited stays until the end of the month. For the operator. Throws `not_found` for an unknown rule, and for one
 * that has ended.
 */
export async function endAllowance({ pool }: Runtime, actor: Actor, { id }: { id: string }): Promise<{ id: string }> {
  requireRight(actor, "service.finance")
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE allowance_rule SET ended_at = ledger_now() WHERE id = $1 AND ended_at IS NULL",
      [parsePublicId("alw", id)],
    )
    if (!rowCount) throw new ServiceError("not_found", { message: "There is no such allowance." })
    await recordAudit(client, actor, { action: "allowance.end", subject: id })
  })
  return { id }
}

type RuleRow = Row<"AllowanceRule", "id" | "domain" | "account_id" | "amount_pico" | "carries_over"> &
  Nullable<{ owner: string }> & { per: AllowancePer; granted: number; granted_pico: string }

const LIST = `
  SELECT r.id, r.domain, r.account_id, r.per, r.amount_pico, r.carries_over, first_owner_email(r.account_id) AS owner,
    g.granted, g.granted_pico
  FROM allowance_rule r, LATERAL (
    SELECT count(*)::int AS granted, coalesce(sum(amount_pico), 0)::bigint AS granted_pico
    FROM allowance WHERE rule_id = r.id AND credited_for = ${THIS_MONTH}) g
  WHERE r.ended_at IS NULL ORDER BY r.created_at, r.id`

/** Returns the rules that have not ended, oldest first. For the operator. */
export async function listAllowances({ pool }: Runtime, actor: Actor): Promise<Allowance[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<RuleRow>(LIST)
  return rows.map((row) => ({
    id: publicId("alw", row.id),
    target: row.account_id === null ? (row.domain ?? "") : publicId("acc", row.account_id),
    email: row.owner,
    per: row.per,
    amountUsd: usd12(pico(row.amount_pico)),
    carriesOver: row.carries_over,
    granted: row.granted,
    grantedUsd: usd12(pico(row.granted_pico)),
  }))
}
