import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"
import { enoughUsd } from "./topup-url"

export interface Debt {
  /** What was taken, less what was given back, since credit last brought it above zero; the largest part first. */
  parts: DebtPart[]
  /** Dollars that bring it above zero; null while top-ups are off. */
  enoughUsd: string | null
}

export interface DebtPart {
  kind: "debit" | "refund" | "dispute"
  /** Exact USD text above zero. */
  amountUsd: string
}

const STATEMENT = `
SELECT kind, -sum(amount_pico) AS amount FROM ledger_entry
WHERE account_id = $1 AND kind <> 'charge' AND kind IN ('debit', 'refund', 'dispute') AND id > coalesce((
  SELECT id FROM ledger_entry
  WHERE account_id = $1 AND kind <> 'charge' AND kind IN ('topup', 'credit', 'welcome') AND balance_after_pico > 0
  ORDER BY id DESC LIMIT 1), 0)
GROUP BY kind HAVING sum(amount_pico) < 0 ORDER BY 2 DESC`

/** Why the balance is below zero and what brings it back; null when it is not. For owners. */
export async function explainDebt(actor: UserActor, balanceUsd: string): Promise<Debt | null> {
  requireRight(actor, "billing.read")
  const balance = parseUsd(balanceUsd) ?? pico(0)
  if (balance >= 0n) return null
  const { env, payments, pool } = runtime()
  const { rows } = await pool.query<{ kind: DebtPart["kind"]; amount: string }>(STATEMENT, [actor.accountId])
  return {
    parts: rows.map(({ kind, amount }) => ({ kind, amountUsd: usd12(pico(amount)) })),
    enoughUsd: payments ? String(enoughUsd(env, pico(0), balance)) : null,
  }
}
