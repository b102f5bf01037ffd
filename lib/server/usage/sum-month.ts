import type { AccountActor } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"
import { readSnapshot } from "./read-snapshot"
import { LIVE, spent, spentValues } from "./spent"

export interface MonthSum {
  /** The first UTC day of the month, such as `2026-11-01`. */
  from: string
  decisions: number
  costUsd: string
}

const STATEMENT = `
WITH ${LIVE}
SELECT coalesce(sum(decisions), 0) AS decisions, coalesce(sum(cost_pico), 0) AS cost_pico FROM ${spent("start")} s`

/** Returns what the account was charged since this month began in UTC, equal to the ledger. The cost is exact USD text. */
export const sumMonth = (runtime: Runtime, actor: AccountActor): Promise<MonthSum> =>
  readSnapshot(runtime, actor, async (snapshot) => {
    const { asOf } = snapshot
    const from = new Date(Date.UTC(asOf.getUTCFullYear(), asOf.getUTCMonth()))
    const range = { unit: "day" as const, from, to: asOf }
    const values = spentValues(actor, range, snapshot, { keyId: null, model: null })
    const [sums] = await snapshot.rows<{ decisions: string; cost_pico: string }>(STATEMENT, values)
    return { from: dayOf(from), decisions: Number(sums?.decisions), costUsd: usd12(pico(sums?.cost_pico ?? 0)) }
  })
