import type { PoolClient } from "pg"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { DAY_MS, HOUR_MS } from "@/lib/shared/time"
import { keptSince } from "./range"
import { hasCharges, hasRefusals, type RequestsWanted } from "./requests-statement"
import { ALL_KEYS, ALL_MODELS, LEVELS, OF_FILTER } from "./spent"

/** A part of a range, `to` excluded. */
export interface Span {
  from: Date
  to: Date
}

/** A statement reads about as many rows, which takes 10 to 20 ms. */
const ROWS_PER_SPAN = 10_000

interface Unit {
  name: "hour" | "day"
  ms: number
}
const HOUR: Unit = { name: "hour", ms: HOUR_MS }
const DAY: Unit = { name: "day", ms: DAY_MS }

/** The time of the first charge that is in no sum yet. Later ones are in the order of their ids, but for a clock that was set back. */
const FIRST_UNSUMMED = `
  SELECT min(created_at) AS first_at FROM (
    SELECT created_at FROM ledger_entry
    WHERE account_id = $1 AND id > coalesce((SELECT entry_id FROM usage_mark WHERE account_id = $1), 0)
      AND kind = 'charge' AND created_at >= $2 AND created_at < $3
    ORDER BY id LIMIT ${ROWS_PER_SPAN}) c`

/** Returns the statement that counts, by hour or day, the requests among which wanted ones may be. */
function countsStatement(
  { result, type, tag, minMs, maxMs, minPico, ...wanted }: RequestsWanted,
  values: unknown[],
): string {
  const value = (given: unknown, as: string) => `$${values.push(given)}::${as}`
  const parts: string[] = []
  if (hasCharges({ result, type, tag, minPico, ...wanted })) {
    const may: string[] = []
    if (type !== null) may.push(`(question_counts ->> ${value(type, "text")})::bigint > 0`)
    if (tag !== undefined)
      may.push(
        `EXISTS (SELECT FROM tag_sum t WHERE account_id = $1 AND unit = $2 AND t.start = usage_sum.start AND tag = ${value(tag, "text")} AND ${OF_FILTER})`,
      )
    if (minPico !== null) may.push(`cost_pico >= ${value(minPico, "bigint")}`)
    if (minMs !== null || maxMs !== null) {
      const last = maxMs === null ? "" : `latency_bucket(${value(maxMs, "int")}) + 1`
      const buckets = `latency_counts[latency_bucket(${value(minMs ?? 0, "int")}) + 1:${last}]`
      may.push(`EXISTS (SELECT FROM unnest(${buckets}) AS n WHERE n > 0)`)
    }
    parts.push(
      `SELECT start, decisions AS requests FROM usage_sum WHERE ${[LEVELS.start, ...may.map((one) => `(${one})`)].join(" AND ")}`,
    )
  }
  if (hasRefusals({ result, type, tag, minPico, ...wanted })) {
    const ofCode = result === null || result === "refused" ? "" : ` AND code = ${value(result, "text")}`
    parts.push(`SELECT start, requests FROM usage_error WHERE ${LEVELS.start}${ofCode}`)
  }
  return `SELECT start, sum(requests)::float8 AS candidates FROM (${parts.join(" UNION ALL ")}) c GROUP BY 1 ORDER BY 1 DESC`
}

type Count = Row<"UsageSum", "start"> & { candidates: number }

/** Joins neighbours with few requests into one span, and divides an hour or a day with many. Newest first. */
function spansOf(counts: Count[], unit: Unit): Span[] {
  const spans: Span[] = []
  let requests = 0
  for (const count of counts) {
    const from = count.start.getTime()
    const last = spans.at(-1)
    if (last && last.from.getTime() === from + unit.ms && requests + count.candidates <= ROWS_PER_SPAN) {
      last.from = count.start
      requests += count.candidates
      continue
    }
    const parts = Math.max(1, Math.ceil(count.candidates / ROWS_PER_SPAN))
    const bounds = Array.from({ length: parts + 1 }, (_, i) => new Date(from + Math.round((unit.ms * i) / parts)))
    for (let i = parts; i > 0; i--) spans.push({ from: bounds[i - 1] ?? count.start, to: bounds[i] ?? count.start })
    requests = count.candidates / parts
  }
  return spans
}

/**
 * Returns the spans between two times among whose requests wanted ones may be, newest first. Hours without a candidate are left out:
 * the sums of each hour say how many answers fell into each bucket of latency or had a tag, and how many questions of each type were asked.
 */
export async function findSpans(
  { env }: Runtime,
  client: PoolClient,
  wanted: RequestsWanted,
  range: Span,
): Promise<Span[]> {
  if (!hasCharges(wanted) && !hasRefusals(wanted)) return []
  const { rows } = await client.query<{ first_at: Date | null }>(FIRST_UNSUMMED, [
    wanted.accountId,
    range.from,
    range.to,
  ])
  const unsummedSince = rows[0]?.first_at ?? range.to
  const hoursSince = keptSince(new Date(), env.RETENTION_DAYS)
  const parts: [Unit, Span][] = [
    [HOUR, { from: later(range.from, hoursSince), to: range.to }],
    [DAY, { from: range.from, to: earlier(range.to, hoursSince) }],
  ]
  const spans: Span[] = unsummedSince < range.to ? [{ from: unsummedSince, to: range.to }] : []
  for (const [unit, { from, to }] of parts) {
    if (from >= to) continue
    const first = new Date(Math.floor(from.getTime() / unit.ms) * unit.ms)
    const values = [wanted.accountId, unit.name, first, to, wanted.keyId ?? ALL_KEYS, wanted.model ?? ALL_MODELS]
    const text = countsStatement(wanted, values)
    spans.push(...spansOf((await client.query<Count>(text, values)).rows, unit))
  }
  return spans
    .map(({ from, to }, at) => ({
      from: later(from, range.from),
      to: earlier(to, at === 0 ? range.to : earlier(range.to, unsummedSince)),
    }))
    .filter(({ from, to }) => from < to)
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)
const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
