import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type Pico, pico } from "@/lib/shared/money"
import { ALL_KEYS, ALL_MODELS } from "./spent"

/** Days of a spend, including today in UTC. */
const SPEND_DAYS = 30

const SELECT = `
  SELECT account_id, sum(cost_pico) AS spent FROM usage_sum
  WHERE account_id = ANY ($1) AND unit = 'day' AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}'
    AND start > date_trunc('day', now(), 'UTC') - make_interval(days => ${SPEND_DAYS})
  GROUP BY account_id`

/**
 * Returns what each of these accounts spent in the last 30 days, by UUID. Accounts without a charge are left out. Charges of the last
 * seconds are not in the sums yet.
 */
export async function spentByAccount({ pool }: Runtime, accountIds: string[]): Promise<Map<string, Pico>> {
  if (accountIds.length === 0) return new Map()
  const { rows } = await pool.query<Row<"UsageSum", "account_id"> & { spent: string }>(SELECT, [accountIds])
  return new Map(rows.map((row) => [row.account_id, pico(row.spent)]))
}
