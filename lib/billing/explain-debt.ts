import "server-only"
import type { UserActor } from "../auth/user-actor"
import { pico, usd12 } from "../money"
import { runtime } from "../runtime"
import type { EntryKind } from "./describe-entry"
import { requireOwner } from "./require-owner"

export interface DebtPart {
  kind: EntryKind
  /** Exact USD text above zero: what was taken. */
  amountUsd: string
}

const STATEMENT = `
SELECT kind, -sum(amount_pico) AS amount FROM ledger_entry
WHERE account_id = $1 AND amount_pico < 0 AND id > coalesce((
  SELECT id FROM ledger_entry WHERE account_id = $1 AND balance_after_pico >= 0 ORDER BY id DESC LIMIT 1), 0)
GROUP BY kind ORDER BY 2 DESC`

/** What took the balance below zero since it was last at zero or above, the largest part first. For owners. */
export async function explainDebt(actor: UserActor): Promise<DebtPart[]> {
  requireOwner(actor, "see its ledger")
  const { rows } = await runtime().pool.query<{ kind: EntryKind; amount: string }>(STATEMENT, [actor.accountId])
  return rows.map(({ kind, amount }) => ({ kind, amountUsd: usd12(pico(amount)) }))
}
