import { saveSpentBudgets } from "@/lib/server/keys/watch-budgets"
import { saveSpentParts } from "@/lib/server/keys/watch-limits"
import { nextRange, saveRange } from "@/lib/server/platform/db/job-mark"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { saveLevels } from "./watch-balances"

const CHANGED = `
  SELECT account_id, key_id FROM ledger_entry WHERE created_at > $1 AND created_at <= $2 GROUP BY account_id, key_id`

/** `key_id` is null for entries that are no charges. */
type Changed = Row<"LedgerEntry", "account_id" | "key_id">

/**
 * Reads the accounts and keys with ledger entries since the last run, once for balances, limits and budgets, and queues what their crossings
 * cause. The first run of a database reads nothing, because it would read the whole ledger.
 */
async function watch(runtime: Runtime, name: string, overlapSeconds: number): Promise<void> {
  const { pool } = runtime
  const range = await nextRange(pool, name)
  if (range.since !== "-infinity") {
    const { rows } = await pool.query<Changed>(CHANGED, [range.since, range.until])
    const accountIds = [...new Set(rows.map(({ account_id }) => account_id))]
    await saveLevels(runtime, accountIds)
    await saveSpentBudgets(runtime, accountIds)
    await saveSpentParts(
      runtime,
      rows.map(({ key_id }) => key_id).filter((id) => id !== null),
    )
  }
  await saveRange(pool, name, range, overlapSeconds)
}

/** Runs every few seconds. It misses entries that become visible more than two seconds after their time. */
export const watchCrossings = (runtime: Runtime): Promise<void> => watch(runtime, "crossings", 2)

/** Runs every minute, and reads one minute more. It finds what `watchCrossings` missed. */
export const watchLateCrossings = (runtime: Runtime): Promise<void> => watch(runtime, "late crossings", 60)
