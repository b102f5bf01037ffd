import { pico, usd12 } from "@/lib/shared/money"
import { percentileMs } from "./percentile"
import { addLatencies } from "./read-parts"
import type { Snapshot } from "./read-snapshot"
import { NOT_SUMMED, OF_FILTER } from "./spent"
import type { UsageTag } from "./usage"

interface TagRow {
  tag: string
  decisions: string
  tokens: string
  cost_pico: string
  latency_counts: string | null
}

/** Defines `tagged`: the charges of each tag, from the sums and from the ledger. A charge is in the rows of each of its tags. */
export const TAGGED = `tagged AS (
  SELECT tag, decisions, tokens, cost_pico, latency_counts::text FROM tag_sum
  WHERE account_id = $1 AND unit = $2 AND start >= $3 AND start < $4 AND ${OF_FILTER} AND ($8::text IS NULL OR tag = $8)
  UNION ALL
  SELECT tag, count(*), sum(tokens), -sum(amount_pico), '{' || repeat('0,', latency_bucket(latency_ms)) || count(*) || '}'
  FROM ledger_entry CROSS JOIN unnest(tags) AS tag WHERE ${NOT_SUMMED} AND ($8::text IS NULL OR tag = $8)
  GROUP BY tag, latency_bucket(latency_ms)
)`

const statement = (most: number) => `
WITH ${TAGGED}
SELECT tag, sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost_pico) AS cost_pico, string_agg(latency_counts, ' ') AS latency_counts
FROM tagged GROUP BY tag ORDER BY sum(cost_pico) DESC, sum(decisions) DESC, tag LIMIT ${most}`

/** Returns the charges of each tag, the most expensive first, `most` at most. `values` are those of `spentValues`. */
export async function readTags(snapshot: Snapshot, values: unknown[], most: number): Promise<UsageTag[]> {
  const rows = await snapshot.rows<TagRow>(statement(most), values)
  return rows.map(({ tag, decisions, tokens, cost_pico, latency_counts }) => {
    const latencies: number[] = []
    if (latency_counts) addLatencies(latencies, latency_counts)
    return {
      tag,
      decisions: Number(decisions),
      tokens: Number(tokens),
      costUsd: usd12(pico(cost_pico)),
      p50Ms: percentileMs(latencies, 0.5),
      p95Ms: percentileMs(latencies, 0.95),
    }
  })
}
