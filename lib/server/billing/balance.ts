import { type AccountActor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"
import { smallestTopupUsd } from "./topup-terms"

/** Exact USD texts with twelve decimals. The balance may be negative. */
export interface Balance {
  balanceUsd: string
  /** The credit held for requests in flight. Excludes what processes reserved in advance and no request has used yet. */
  heldUsd: string
}

export async function getBalance({ pool }: Runtime, actor: AccountActor): Promise<Balance> {
  requireRight(actor, "account.read")
  const { rows } = await pool.query<{ balance: string; held: string }>(
    "SELECT balance_pico AS balance, held_pico - unused_credit(id) AS held FROM account WHERE id = $1",
    [actor.accountId],
  )
  const [account] = rows
  if (!account) throw new Error("the actor has no account")
  return { balanceUsd: usd12(pico(account.balance)), heldUsd: usd12(pico(account.held)) }
}

/** Why a balance is negative. */
export interface Debt {
  /** By kind, the debits minus their reversals since a credit last made the balance positive. Largest first. */
  parts: DebtPart[]
  /** The smallest suggested top-up that makes the balance positive, at most the maximum top-up, in whole dollars. Null while top-ups are off. */
  smallestTopupUsd: string | null
}

export interface DebtPart {
  kind: "debit" | "refund" | "dispute"
  /** Exact USD text above zero. */
  amountUsd: string
  /** The operator's note of the newest debit; null for a refund or dispute. */
  note: string | null
}

// The condition `kind <> 'charge'` is redundant, but lets PostgreSQL use the partial index of entries that are not charges.
const DEBITS = `
SELECT kind, -sum(amount_pico) AS amount, (array_agg(note ORDER BY id DESC))[1] AS note FROM ledger_entry
WHERE account_id = $1 AND kind <> 'charge' AND kind IN ('debit', 'refund', 'dispute') AND id > coalesce((
  SELECT id FROM ledger_entry
  WHERE account_id = $1 AND kind <> 'charge' AND kind IN ('topup', 'credit', 'welcome') AND balance_after_pico > 0
  ORDER BY id DESC LIMIT 1), 0)
GROUP BY kind HAVING sum(amount_pico) < 0 ORDER BY 2 DESC`

/** Returns the reasons for a negative balance, or null when it is not negative. Needs `billing.read`. */
export async function explainDebt(
  { env, payments, pool }: Runtime,
  actor: UserActor,
  balanceUsd: string,
): Promise<Debt | null> {
  requireRight(actor, "billing.read")
  const balance = parseUsd(balanceUsd) ?? pico(0)
  if (balance >= 0n) return null

  const { rows } = await pool.query<Row<"LedgerEntry", "note"> & { kind: DebtPart["kind"]; amount: string }>(DEBITS, [
    actor.accountId,
  ])
  return {
    parts: rows.map(({ kind, amount, note }) => ({ kind, amountUsd: usd12(pico(amount)), note })),
    smallestTopupUsd: payments ? String(smallestTopupUsd(env, pico(0), balance)) : null,
  }
}
