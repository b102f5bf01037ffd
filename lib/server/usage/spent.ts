import type { AccountActor } from "@/lib/server/platform/actor"
import { NIL_UUID } from "@/lib/server/platform/ids"
import type { UsageRange } from "./range"
import type { Snapshot } from "./read-snapshot"

export interface Filter {
  /** UUIDs and pinned ids; null for all. */
  keyId: string | null
  model: string | null
  /** Without it, all charges, with and without tags. */
  tag?: string | undefined
}

/** The id under which the sums of all keys are stored. No key has this id. */
export const ALL_KEYS = NIL_UUID
/** The id under which the sums of all models are stored. */
export const ALL_MODELS = "*"
/** The id used for a filter that is not the public id of a key. No key has this id. */
export const NO_KEY = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const IN_RANGE = "account_id = $1 AND unit = $2 AND start >= $3 AND start < $4"

/** Conditions for the sums of each start in total, by key, by model, or by both. */
export const LEVELS = {
  start: `${IN_RANGE} AND key_id = $5::uuid AND model_id = $6::text`,
  key: `${IN_RANGE} AND key_id <> '${ALL_KEYS}' AND ($5::uuid = '${ALL_KEYS}' OR key_id = $5::uuid) AND model_id = $6::text`,
  model: `${IN_RANGE} AND model_id <> '${ALL_MODELS}' AND ($6::text = '${ALL_MODELS}' OR model_id = $6::text) AND key_id = $5::uuid`,
  both: `${IN_RANGE} AND key_id <> '${ALL_KEYS}' AND ($5::uuid = '${ALL_KEYS}' OR key_id = $5::uuid)
    AND model_id <> '${ALL_MODELS}' AND ($6::text = '${ALL_MODELS}' OR model_id = $6::text)`,
}
export type Level = keyof typeof LEVELS

/** Condition for rows of one key and one model. */
export const OF_FILTER = `($5::uuid = '${ALL_KEYS}' OR key_id = $5::uuid) AND ($6::text = '${ALL_MODELS}' OR model_id = $6::text)`

/** Returns the stored sums of a level, of charges with a tag if `isTagged`, as a table with its condition. */
export const storedSums = (level: Level, isTagged: boolean): string =>
  isTagged ? `tag_sum WHERE ${IN_RANGE} AND tag = $8 AND ${OF_FILTER}` : `usage_sum WHERE ${LEVELS[level]}`

/** Condition for the charges that no stored sum includes yet. */
export const NOT_SUMMED = `account_id = $1 AND id > $7 AND kind = 'charge' AND created_at >= $3 AND created_at < $4 AND ${OF_FILTER}`

/**
 * Defines `live`: the charges that no stored sum includes yet, grouped by start, key, model and latency bucket. Their histogram is
 * an array as text, as in the sums. $7 is the mark: the id of the last entry that the sums include. $8 is a tag, or null for all charges.
 */
export const LIVE = `live AS MATERIALIZED (
  SELECT start, key_id, model_id, decisions, tokens, cost_pico, '{' || repeat('0,', bucket) || decisions || '}' AS latency_counts
  FROM (
    SELECT date_trunc($2, created_at, 'UTC') AS start, key_id, model_id, latency_bucket(latency_ms) AS bucket,
      count(*) AS decisions, sum(tokens) AS tokens, -sum(amount_pico) AS cost_pico
    FROM ledger_entry
    WHERE ${NOT_SUMMED} AND ($8::text IS NULL OR $8 = ANY (tags))
    GROUP BY 1, 2, 3, 4
  ) c
)`

/** Charges by start, key and model as a table expression: the sums and `live`. Needs `WITH LIVE`. */
export const spent = (level: Level, isTagged = false): string => `(
  SELECT start, key_id, model_id, decisions, tokens, cost_pico FROM ${storedSums(level, isTagged)}
  UNION ALL
  SELECT start, key_id, model_id, decisions, tokens, cost_pico FROM live
)`

/** $1 to $6 of `LEVELS`. */
export const levelValues = (actor: AccountActor, range: UsageRange, { keyId, model }: Filter): unknown[] => [
  actor.accountId,
  range.unit,
  range.from,
  range.to,
  keyId ?? ALL_KEYS,
  model ?? ALL_MODELS,
]

/** $1 to $8 of `LIVE` and what follows it. */
export const spentValues = (
  actor: AccountActor,
  range: UsageRange,
  { lastSummedEntryId }: Snapshot,
  filter: Filter,
): unknown[] => [...levelValues(actor, range, filter), lastSummedEntryId, filter.tag ?? null]
