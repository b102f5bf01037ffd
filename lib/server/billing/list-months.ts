import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { monthsBetween } from "./month"

/** The months that a statement can be had for, newest first: from the account's first entry until now; none without one. */
export async function listMonths(actor: UserActor): Promise<string[]> {
  requireRight(actor, "billing.read")
  const { rows } = await runtime().pool.query<{ first: Date; now: Date }>(
    `SELECT created_at AS first, ledger_now() AS now FROM ledger_entry WHERE account_id = $1
     ORDER BY created_at LIMIT 1`,
    [actor.accountId],
  )
  return rows[0] ? monthsBetween(rows[0].first, rows[0].now) : []
}
