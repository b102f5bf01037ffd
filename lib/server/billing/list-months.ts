import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { monthsBetween } from "./month"
import { requireOwner } from "./require-owner"

/** The months that a statement can be had for, newest first: from the account's first entry until now; none without one. */
export async function listMonths(actor: UserActor): Promise<string[]> {
  requireOwner(actor, "see its ledger")
  const { rows } = await runtime().pool.query<{ first: Date; now: Date }>(
    `SELECT created_at AS first, ledger_now() AS now FROM ledger_entry WHERE account_id = $1
     ORDER BY created_at LIMIT 1`,
    [actor.accountId],
  )
  return rows[0] ? monthsBetween(rows[0].first, rows[0].now) : []
}
