import { MONTH_START, THIS_MONTH } from "@/lib/server/billing/months"
import { type DueAllowance, settleAllowances } from "@/lib/server/ledger/settle-allowances"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { isPastAddress } from "./past-addresses"

type DueRow = Row<"Allowance", "account_id" | "rule_id" | "subject"> & Nullable<{ newcomer: string }>

/** How many allowances one run credits. The next runs credit the others. */
const MOST_DUE = 10_000

const OPEN_BEFORE = `
  SELECT DISTINCT account_id FROM allowance WHERE ended_at IS NULL AND credited_for < ${THIS_MONTH} ORDER BY account_id`

// By a rule for a domain, a person brings the allowance to one account: of the active ones, the first that they own or, per member, are in.
// Adding accounts thus gains nothing.
const DUE = `
  WITH candidate AS (
    (SELECT DISTINCT ON (r.id, m.user_id) r.id AS rule_id, r.per, m.account_id, m.user_id AS subject, u.email, u.created_at
     FROM allowance_rule r JOIN app_user u ON split_part(u.email, '@', 2) = r.domain AND u.erased_at IS NULL
       JOIN member m ON m.user_id = u.id AND (r.per = 'member' OR m.role = 'owner')
       JOIN account a ON a.id = m.account_id AND a.status = 'active'
     WHERE r.ended_at IS NULL ORDER BY r.id, m.user_id, m.created_at, m.account_id)
    UNION ALL
    SELECT r.id, r.per, a.id, coalesce(m.user_id, a.id), u.email, u.created_at
    FROM allowance_rule r JOIN account a ON a.id = r.account_id AND a.status = 'active'
      LEFT JOIN member m ON m.account_id = a.id AND r.per = 'member' LEFT JOIN app_user u ON u.id = m.user_id
    WHERE r.ended_at IS NULL AND (r.per = 'account' OR m.user_id IS NOT NULL)
  )
  SELECT c.account_id, c.rule_id, c.subject, CASE WHEN c.created_at >= ${MONTH_START} THEN c.email END AS newcomer
  FROM candidate c WHERE NOT EXISTS (
    SELECT FROM allowance w WHERE w.rule_id = c.rule_id AND w.credited_for = ${THIS_MONTH} AND w.subject = c.subject
  ) AND NOT EXISTS (
    SELECT FROM allowance w WHERE w.rule_id = c.rule_id AND w.credited_for = ${THIS_MONTH} AND w.account_id = c.account_id AND c.per = 'account'
  ) ORDER BY c.account_id LIMIT ${MOST_DUE}`

/**
 * Returns by account what is due now; empty for an account that only has old allowances. A person who deleted their user and signs up
 * again gets nothing in that month, as with welcome credit.
 */
async function findDue(runtime: Runtime): Promise<Map<string, DueAllowance[]>> {
  const { pool } = runtime
  const open = await pool.query<Row<"Allowance", "account_id">>(OPEN_BEFORE)
  const due = new Map<string, DueAllowance[]>(open.rows.map((row) => [row.account_id, []]))
  const { rows } = await pool.query<DueRow>(DUE)
  for (const { account_id: accountId, rule_id: ruleId, subject, newcomer } of rows) {
    if (newcomer !== null && (await isPastAddress(runtime, pool, newcomer))) continue
    due.set(accountId, [...(due.get(accountId) ?? []), { ruleId, subject }])
  }
  return due
}

/**
 * Credits the allowances of this UTC month that were not credited yet, and debits what is left of earlier ones. An account that
 * fails keeps no other from its allowance. Throws the first failure at the end.
 */
export async function grantAllowances(runtime: Runtime): Promise<void> {
  const failures: unknown[] = []
  for (const [accountId, due] of await findDue(runtime))
    await settleAllowances(runtime.pool, accountId, due).catch((cause: unknown) => failures.push(cause))
  if (failures.length > 0) throw failures[0]
}
