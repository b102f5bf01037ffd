import "server-only"
import type { Snapshot } from "./read-snapshot"
import { LATENCIES, SPENT } from "./spent"
import type { ErrorCount } from "./usage"

/** Of what a row is the sum: of everything, of one hour or day, of one key (its UUID), of one model. */
export type Part = "all" | "start" | "key" | "model"

interface PartRow {
  part: Part
  of: string
}

interface SumRow extends PartRow {
  decisions: string
  tokens: string
  cost_pico: string
}

interface LatencyRow extends PartRow {
  bucket: number
  n: string
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
}

/** The text of a start in answers: ISO, in UTC. */
export const START = `to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`

const PART = `CASE grouping(start, key_id, model_id) WHEN 7 THEN 'all' WHEN 3 THEN 'start' WHEN 5 THEN 'key' ELSE 'model' END AS part,
  coalesce(${START}, key_id::text, model_id, '') AS of`

/** `start 2026-11-20T00:00:00.000Z`, `key 0194…`: where a part's figures stand. */
export const partName = (part: Part, of = ""): string => `${part} ${of}`

/** What was charged, by part. Parameters are `spentValues`. */
export async function readSums(snapshot: Snapshot, values: unknown[]): Promise<Map<string, Sums>> {
  const rows = await snapshot.rows<SumRow>(
    `SELECT ${PART}, sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost_pico) AS cost_pico
     FROM ${SPENT} s GROUP BY GROUPING SETS ((), (start), (key_id), (model_id)) HAVING sum(decisions) > 0`,
    values,
  )
  return new Map(
    rows.map(({ part, of, decisions, tokens, cost_pico }) => [
      partName(part, of),
      { decisions: Number(decisions), tokens: Number(tokens), costPico: BigInt(cost_pico) },
    ]),
  )
}

/** How long the answered took, as counts by bucket, by part. */
export async function readLatencies(snapshot: Snapshot, values: unknown[]): Promise<Map<string, Map<number, number>>> {
  const rows = await snapshot.rows<LatencyRow>(
    `SELECT ${PART}, bucket, sum(n) AS n FROM ${LATENCIES} s
     GROUP BY GROUPING SETS ((bucket), (start, bucket), (key_id, bucket), (model_id, bucket))`,
    values,
  )
  const parts = new Map<string, Map<number, number>>()
  for (const { part, of, bucket, n } of rows) {
    const counts = parts.get(partName(part, of)) ?? new Map<number, number>()
    parts.set(partName(part, of), counts.set(bucket, Number(n)))
  }
  return parts
}

/** What did not end in a 200, by part and code. */
export async function readErrors(snapshot: Snapshot, values: unknown[]): Promise<Map<string, ErrorCount[]>> {
  const [accountId, unit, from, to, , keyId, model] = values
  const rows = await snapshot.rows<ErrorRow>(
    `SELECT ${PART}, code, status, sum(requests) AS requests FROM usage_error
     WHERE account_id = $1 AND unit = $2 AND start >= $3 AND start < $4
       AND ($5::uuid IS NULL OR key_id = $5) AND ($6::text IS NULL OR model_id = $6)
     GROUP BY GROUPING SETS ((code, status), (start, code, status), (key_id, code, status), (model_id, code, status))`,
    [accountId, unit, from, to, keyId, model],
  )
  const parts = new Map<string, ErrorCount[]>()
  for (const { part, of, code, status, requests } of rows) {
    const errors = parts.get(partName(part, of)) ?? []
    errors.push({ code, status, requests: Number(requests) })
    parts.set(partName(part, of), errors)
  }
  return parts
}
