import type { AccountActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"
import { resolveRange } from "./range"
import { readSnapshot } from "./read-snapshot"
import type { DailySpendInput } from "./schema"
import { LIVE, NO_KEY, spent, spentValues } from "./spent"

interface DaySpend {
  /** A UTC day, such as 2026-11-20. */
  day: string
  keyId: string
  keyName: string
  decisions: number
  tokens: number
  costUsd: string
}

export interface DailySpend {
  asOf: string
  firstDay: string
  /** Newest day first, and within a day the most expensive key first. Days without a charge are left out. */
  rows: DaySpend[]
  total: { decisions: number; tokens: number; costUsd: string }
}

interface Row {
  day: string
  key_id: string
  key_name: string
  decisions: string
  tokens: string
  cost_pico: string
}

const STATEMENT = `
WITH ${LIVE}
SELECT to_char(s.start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, s.key_id, k.name AS key_name,
  sum(s.decisions) AS decisions, sum(s.tokens) AS tokens, sum(s.cost_pico) AS cost_pico
FROM ${spent("key")} s JOIN api_key k ON k.id = s.key_id
GROUP BY s.start, s.key_id, k.name
ORDER BY s.start DESC, sum(s.cost_pico) DESC, s.key_id`

const daySpend = (row: Row): DaySpend => ({
  day: row.day,
  keyId: publicId("key", row.key_id),
  keyName: row.key_name,
  decisions: Number(row.decisions),
  tokens: Number(row.tokens),
  costUsd: usd12(pico(row.cost_pico)),
})

/**
 * Returns what the account's keys spent per UTC day, equal to the ledger's charges. Costs are exact USD texts. `keyId` limits it
 * to one key.
 */
export async function listDailySpend(
  runtime: Runtime,
  actor: AccountActor,
  { days, keyId }: DailySpendInput,
): Promise<DailySpend> {
  return readSnapshot(runtime, actor, async (snapshot) => {
    // By day, even for a range that the usage page shows by hour.
    const range = { ...resolveRange({ days }, snapshot.asOf), unit: "day" as const }
    const filter = { keyId: keyId === undefined ? null : (parsePublicId("key", keyId) ?? NO_KEY), model: null }
    const rows = await snapshot.rows<Row>(STATEMENT, spentValues(actor, range, snapshot, filter))
    const sum = (column: "decisions" | "tokens" | "cost_pico") =>
      rows.reduce((total, row) => total + BigInt(row[column]), 0n)
    return {
      asOf: snapshot.asOf.toISOString(),
      firstDay: dayOf(range.from),
      rows: rows.map(daySpend),
      total: {
        decisions: Number(sum("decisions")),
        tokens: Number(sum("tokens")),
        costUsd: usd12(pico(sum("cost_pico"))),
      },
    }
  })
}
