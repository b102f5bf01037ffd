import "server-only"
import type { UserActor } from "../auth/user-actor"
import type { UsageRange } from "./range"
import type { Snapshot } from "./read-snapshot"

export interface Filter {
  /** UUIDs and pinned ids; null for all. */
  keyId: string | null
  model: string | null
}

/**
 * Charges by start of hour or day, key and model, as a table expression: the sums, and the rows that are in none yet. Takes
 * `spentValues` as its parameters.
 */
export const SPENT = `(
  SELECT start, key_id, model_id, decisions, tokens, cost_pico, nouls, choices, scores
  FROM usage_sum
  WHERE account_id = $1 AND unit = $2 AND start >= $3 AND start < $4
    AND ($6::uuid IS NULL OR key_id = $6) AND ($7::text IS NULL OR model_id = $7)
  UNION ALL
  SELECT date_trunc($2, created_at, 'UTC'), key_id, model_id, count(*), sum(tokens), -sum(amount_pico),
    sum(noul_count), sum(choice_count), sum(score_count)
  FROM ledger_entry
  WHERE account_id = $1 AND id > $5 AND kind = 'charge' AND created_at >= $3 AND created_at < $4
    AND ($6::uuid IS NULL OR key_id = $6) AND ($7::text IS NULL OR model_id = $7)
  GROUP BY 1, 2, 3
)`

/** How many answers fell into which latency bucket, by start, key and model; the same parameters. */
export const LATENCIES = `(
  SELECT start, key_id, model_id, t.bucket, t.n
  FROM usage_sum CROSS JOIN unnest(latency_buckets, latency_counts) AS t(bucket, n)
  WHERE account_id = $1 AND unit = $2 AND start >= $3 AND start < $4
    AND ($6::uuid IS NULL OR key_id = $6) AND ($7::text IS NULL OR model_id = $7)
  UNION ALL
  SELECT date_trunc($2, created_at, 'UTC'), key_id, model_id, latency_bucket(latency_ms), count(*)
  FROM ledger_entry
  WHERE account_id = $1 AND id > $5 AND kind = 'charge' AND created_at >= $3 AND created_at < $4 AND latency_ms IS NOT NULL
    AND ($6::uuid IS NULL OR key_id = $6) AND ($7::text IS NULL OR model_id = $7)
  GROUP BY 1, 2, 3, 4
)`

/** Stands for a key that is none: nothing was ever spent by it. */
export const NO_KEY = "00000000-0000-0000-0000-000000000000"

/** $1 to $7 of the expressions above. */
export const spentValues = (
  { accountId }: UserActor,
  { unit, from, to }: UsageRange,
  { mark }: Snapshot,
  { keyId, model }: Filter,
): unknown[] => [accountId, unit, from, to, mark, keyId, model]
