import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type Pico, pico } from "@/lib/shared/money"

/** Of all accounts of the service. */
export interface AccountTotals {
  accounts: number
  active: number
  suspended: number
  closed: number
  /** Accounts with a balance below zero. */
  negative: number
  /** The sum of all balances, which is the credit that the service still owes. */
  balancePico: Pico
  /** The part of it that is reserved for requests in progress. */
  heldPico: Pico
}

const SELECT = `
  SELECT count(*)::int AS accounts, count(*) FILTER (WHERE status = 'active')::int AS active,
    count(*) FILTER (WHERE status = 'suspended')::int AS suspended, count(*) FILTER (WHERE status = 'closed')::int AS closed,
    count(*) FILTER (WHERE balance_pico < 0)::int AS negative,
    coalesce(sum(balance_pico), 0) AS balance, coalesce(sum(held_pico), 0) - unused_credit(NULL) AS held
  FROM account`

type Row = Omit<AccountTotals, "balancePico" | "heldPico"> & { balance: string; held: string }

/** Returns the totals of all accounts. For the operator. */
export async function getAccountTotals({ pool }: Runtime, actor: Actor): Promise<AccountTotals> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<Row>(SELECT)
  const [row] = rows
  if (!row) throw new Error("an aggregate returned no row")
  const { balance, held, ...counts } = row
  return { ...counts, balancePico: pico(balance), heldPico: pico(held) }
}
