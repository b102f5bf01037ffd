import "server-only"
import type { UserActor } from "../auth/user-actor"
import { publicId } from "../ids"
import { pico, usd12 } from "../money"
import { runtime } from "../runtime"
import { DailySpendInput } from "./schema"

export interface DaySpend {
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
  /** Newest day first, and within a day the dearest key first; days without a charge are left out. */
  rows: DaySpend[]
  total: { decisions: number; tokens: number; costUsd: string }
}

interface Row {
  as_of: Date
  first_day: string
  day: string | null
  key_id: string
  key_name: string
  decisions: string
  tokens: string
  cost_pico: string
}

// One statement, so that "as of" and the sums are of one snapshot. The charge rows alone say what was spent.
const STATEMENT = `
WITH period AS MATERIALIZED (
  SELECT ledger_now() AS as_of, date_trunc('day', ledger_now(), 'UTC') - ($2::integer - 1) * interval '24 h' AS start
)
SELECT p.as_of, to_char(p.start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS first_day, s.*, k.name AS key_name
FROM period p
LEFT JOIN LATERAL (
  SELECT to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, e.key_id,
    count(*) AS decisions, sum(e.tokens) AS tokens, -sum(e.amount_pico) AS cost_pico
  FROM ledger_entry e
  WHERE e.account_id = $1 AND e.kind = 'charge' AND e.created_at >= p.start
  GROUP BY 1, 2
) s ON true
LEFT JOIN api_key k ON k.id = s.key_id
ORDER BY s.day DESC, s.cost_pico DESC, s.key_id`

const daySpend = (row: Row & { day: string }): DaySpend => ({
  day: row.day,
  keyId: publicId("key", row.key_id),
  keyName: row.key_name,
  decisions: Number(row.decisions),
  tokens: Number(row.tokens),
  costUsd: usd12(pico(row.cost_pico)),
})

/** What the account's keys spent per UTC day, from the ledger's charge rows; costs are exact USD texts. */
export async function listDailySpend(actor: UserActor, input: DailySpendInput): Promise<DailySpend> {
  const { days } = DailySpendInput.parse(input)
  const { rows } = await runtime().pool.query<Row>(STATEMENT, [actor.accountId, days])
  const charged = rows.filter((row): row is Row & { day: string } => row.day !== null)
  const sum = (column: "decisions" | "tokens" | "cost_pico") =>
    charged.reduce((total, row) => total + BigInt(row[column]), 0n)
  return {
    asOf: (rows[0]?.as_of ?? new Date()).toISOString(),
    firstDay: rows[0]?.first_day ?? "",
    rows: charged.map(daySpend),
    total: {
      decisions: Number(sum("decisions")),
      tokens: Number(sum("tokens")),
      costUsd: usd12(pico(sum("cost_pico"))),
    },
  }
}
