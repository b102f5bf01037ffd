import type { Snapshot } from "./read-snapshot"
import { LEVELS, LIVE, storedSums } from "./spent"
import type { ErrorCount } from "./usage"

/** What a figure sums up: everything, one hour or day, one key (by UUID), or one model. */
export type Part = "all" | "start" | "key" | "model"

/** Exactly one is set: the part that the row belongs to. */
interface PartRow {
  at: string | null
  key_id: string | null
  model_id: string | null
}

interface SumRow extends PartRow {
  decisions: string
  tokens: string
  cost_pico: string
  /** Histograms such as `{0,2,1}` with spaces between them; null without a known latency. */
  latency_counts: string | null
}

interface ErrorRow extends PartRow {
  code: string
  status: number
  requests: string
}

export interface Sums {
  decisions: number
  tokens: number
  costPico: bigint
  latencyCounts: number[]
}

export const NO_SUMS: Sums = { decisions: 0, tokens: 0, costPico: 0n, latencyCounts: [] }

export const START = `to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`

const OF = {
  start: "start, NULL::uuid AS key_id, NULL::text AS model_id",
  key: "NULL::timestamptz AS start, key_id, NULL::text AS model_id",
  model: "NULL::timestamptz AS start, NULL::uuid AS key_id, model_id",
}

const parts = (columns: string, source: (level: "start" | "key" | "model") => string): string =>
  (["start", "key", "model"] as const)
    .map((level) => `SELECT ${OF[level]}, ${columns} FROM ${source(level)}`)
    .join(" UNION ALL ")

/** `start 2026-11-20T00:00:00.000Z`, `key 0194…`: the name under which a part's figures are kept. */
export const partName = (part: Part, of = ""): string => `${part} ${of}`

const nameOf = ({ at, key_id, model_id }: PartRow): string =>
  at !== null ? partName("start", at) : key_id !== null ? partName("key", key_id) : partName("model", model_id ?? "")

/** Each charge is in the row of one start, so these rows also add up to the total. */
const namesOf = (row: PartRow): string[] => (row.at === null ? [nameOf(row)] : [nameOf(row), partName("all")])

/** Adds histograms such as `{0,2,1} {1}` to `counts`. */
export function addLatencies(counts: number[], histograms: string): void {
  for (const histogram of histograms.split(" ")) {
    let bucket = 0
    for (const n of histogram.slice(1, -1).split(",")) {
      if (n !== "0" && n !== "") {
        while (counts.length <= bucket) counts.push(0)
        counts[bucket] = (counts[bucket] ?? 0) + Number(n)
      }
      bucket++
    }
  }
}

// PostgreSQL joins the histograms as text, and `addLatencies` adds them up. An aggregate over arrays in SQL would be slower.
const sumsStatement = (isTagged: boolean): string => `
WITH ${LIVE}
SELECT ${START} AS at, key_id, model_id, sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost_pico) AS cost_pico,
  string_agg(latency_counts, ' ') AS latency_counts
FROM (
  ${parts("decisions, tokens, cost_pico, latency_counts::text", (level) => storedSums(level, isTagged))}
  UNION ALL ${parts("decisions, tokens, cost_pico, latency_counts", () => "live")}
) s GROUP BY start, key_id, model_id`

/** Returns charges and latencies by part. `values` are those of `spentValues`, with a tag if `isTagged`. */
export async function readSums(snapshot: Snapshot, values: unknown[], isTagged: boolean): Promise<Map<string, Sums>> {
  const sums = new Map<string, Sums>()
  for (const row of await snapshot.rows<SumRow>(sumsStatement(isTagged), values))
    for (const name of namesOf(row)) {
      const sum = sums.get(name) ?? { decisions: 0, tokens: 0, costPico: 0n, latencyCounts: [] }
      sum.decisions += Number(row.decisions)
      sum.tokens += Number(row.tokens)
      sum.costPico += BigInt(row.cost_pico)
      if (row.latency_counts) addLatencies(sum.latencyCounts, row.latency_counts)
      sums.set(name, sum)
    }
  return sums
}

const ERRORS = `
SELECT ${START} AS at, key_id, model_id, code, status, sum(requests) AS requests
FROM (${parts("code, status, requests", (level) => `usage_error WHERE ${LEVELS[level]}`)}) s
GROUP BY start, key_id, model_id, code, status`

/** Returns requests that did not end in a 200, by part and code. `values` are those of `levelValues`. */
export async function readErrors(snapshot: Snapshot, values: unknown[]): Promise<Map<string, ErrorCount[]>> {
  const errors = new Map<string, Map<string, ErrorCount>>()
  for (const row of await snapshot.rows<ErrorRow>(ERRORS, values))
    for (const name of namesOf(row)) {
      const { code, status } = row
      const counts = errors.get(name) ?? new Map<string, ErrorCount>()
      const requests = (counts.get(`${status} ${code}`)?.requests ?? 0) + Number(row.requests)
      errors.set(name, counts.set(`${status} ${code}`, { status, code, requests }))
    }
  return new Map([...errors].map(([name, counts]) => [name, [...counts.values()]]))
}
