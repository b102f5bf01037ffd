import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { MonthInput } from "@/lib/shared/billing/schema"

/** An SQL expression: the first moment of this UTC month. As a subquery it is computed once for all rows. */
export const MONTH_START = "(SELECT date_trunc('month', ledger_now(), 'UTC'))"

/** The same as a date, as `auto_topup.capped_in` stores it. */
export const THIS_MONTH = `(${MONTH_START} AT TIME ZONE 'UTC')::date`

/** Returns the UTC month of a time, such as `2026-11`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** Returns the month in a query parameter, such as `2026-11`, or null when it is not a month. */
export const parseMonth = (text: unknown): string | null => MonthInput.safeParse({ month: text }).data?.month ?? null

/** Returns the first moment of a month and of the month after it. */
export function monthRange(month: string): { start: Date; end: Date } {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return { start: new Date(Date.UTC(year, number - 1)), end: new Date(Date.UTC(year, number)) }
}

/** Returns the number of a month's statement, such as `2026-11-3KFZ9Q2M`: the month and the end of the account's id. */
export const statementNumber = (accountId: string, month: string): string =>
  `${month}-${publicId("acc", accountId).slice(-8).toUpperCase()}`

/** Returns every month from the month of `first` to the month of `last`, newest first. */
export function monthsBetween(first: Date, last: Date): string[] {
  const months: string[] = []
  for (let at = monthRange(monthOf(last)).start; at >= monthRange(monthOf(first)).start; ) {
    months.push(monthOf(at))
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1))
  }
  return months
}

/** Returns the months from the account's first ledger entry until now, newest first. Needs `billing.read`. */
export async function listMonths({ pool }: Runtime, actor: AccountActor): Promise<string[]> {
  requireRight(actor, "billing.read")
  const { rows } = await pool.query<{ first: Date; now: Date }>(
    `SELECT created_at AS first, ledger_now() AS now FROM ledger_entry WHERE account_id = $1
     ORDER BY id LIMIT 1`,
    [actor.accountId],
  )
  return rows[0] ? monthsBetween(rows[0].first, rows[0].now) : []
}
