import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALL_KEYS, ALL_MODELS } from "@/lib/server/usage/spent"
import { pico, usd12 } from "@/lib/shared/money"
import { IS_COVERED, THRESHOLD } from "./watch-balances"

/** The balance as the console's banner and menu show it. */
export interface Runway {
  /** Exact USD text. */
  balanceUsd: string
  /**
   * `low`: at or below the warning, while automatic top-up adds no credit. Without a chosen warning and without a top-up, the
   * balance must also last less than 30 days. `empty`: zero or below, so requests are refused.
   */
  level: "ok" | "low" | "empty"
  /** How many days the balance lasts at the rate of the last days, rounded down. Null unless it is low and something was spent. */
  days: number | null
  /** Over how many days the rate was taken, today included: 7, or fewer since the account's first charge. */
  rateDays: number
}

const RATE_DAYS = 7
const SHORT_DAYS = 30

const OF_ALL = `account_id = a.id AND unit = 'day' AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}'`

// Reads a few daily sums of all keys and models by primary key, and none while the balance is above the threshold.
const SELECT = `
  SELECT a.balance_pico,
    a.balance_pico <= ${THRESHOLD} AND NOT ${IS_COVERED} AS is_low,
    a.low_balance_pico IS NOT NULL OR EXISTS (
      SELECT FROM ledger_entry WHERE account_id = a.id AND kind <> 'charge' AND kind = 'topup') AS is_warned,
    CASE WHEN a.balance_pico <= ${THRESHOLD} THEN (
      SELECT sum(cost_pico) FROM usage_sum
      WHERE ${OF_ALL} AND start > date_trunc('day', now(), 'UTC') - interval '${RATE_DAYS} days') END AS spent,
    CASE WHEN a.balance_pico <= ${THRESHOLD} THEN (
      SELECT least(extract(day FROM date_trunc('day', now(), 'UTC') - start) + 1, ${RATE_DAYS})::int FROM usage_sum
      WHERE ${OF_ALL} ORDER BY start LIMIT 1) END AS rate_days
  FROM account a WHERE a.id = $1`

type RunwayRow = Row<"Account", "balance_pico"> & {
  is_low: boolean
  is_warned: boolean
  spent: string | null
  rate_days: number | null
}

/** Returns the balance, and how long it lasts when it is low. */
export async function getRunway({ pool }: Runtime, actor: AccountActor): Promise<Runway> {
  requireRight(actor, "account.read")
  const { rows } = await pool.query<RunwayRow>({ name: "runway", text: SELECT, values: [actor.accountId] })
  const [row] = rows
  if (!row) throw new Error("the actor has no account")
  const balance = pico(row.balance_pico)
  const balanceUsd = usd12(balance)
  const rateDays = Math.max(row.rate_days ?? RATE_DAYS, 1)
  if (balance <= 0n) return { balanceUsd, level: "empty", days: null, rateDays }
  const spent = BigInt(row.spent ?? 0)
  const days = spent > 0n ? Number((balance * BigInt(rateDays)) / spent) : null
  const isShort = days !== null && days < SHORT_DAYS
  if (!row.is_low || !(row.is_warned || isShort)) return { balanceUsd, level: "ok", days: null, rateDays }
  return { balanceUsd, level: "low", days, rateDays }
}
