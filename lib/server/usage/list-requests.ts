import type { PoolClient } from "pg"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import { NIL_UUID, parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { parseUsd } from "@/lib/shared/money"
import { HOUR_MS } from "@/lib/shared/time"
import { keptSince, resolveTimes } from "./range"
import { type LoggedRequest, loggedRequest, type RequestRow } from "./request-row"
import { hasCharges, hasRefusals, type RequestsWanted, requestsStatement } from "./requests-statement"
import type { RequestsInput } from "./schema"
import { findSpans } from "./search-spans"
import { ALL_KEYS, ALL_MODELS, LEVELS, NO_KEY } from "./spent"

export interface LoggedRequests {
  asOf: string
  requests: LoggedRequest[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
  /** The time down to which requests were searched, where the search stopped before the page was full; else null. */
  searchedTo: string | null
}

const PAGE = 50
/** How long a search among requests that may not match goes on. It then stops, and `next` continues it. */
const SEARCH_MS = 80
const HOUR = { name: "hour", ms: HOUR_MS }
const DAY = { name: "day", ms: 24 * HOUR.ms }

function startOf(before: string | undefined, to: Date): { micros: string; id: string } {
  const end = `${to.getTime()}000`
  const [micros = end, id = NIL_UUID] = before?.split("_") ?? []
  return BigInt(micros) < BigInt(end) ? { micros, id } : { micros: end, id: NIL_UUID }
}

// An hour may have more rows than the statistics of a fast-growing table say. Ordered scans stop when the page is full.
const BEGIN = `
BEGIN READ ONLY;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_sort = off;
SET LOCAL jit = off;
${LIMIT_STATEMENTS}`

// Adds up charges from the newest hour or day backwards, and stops at the first one where the sum reaches a page.
const ENOUGH = `
  SELECT start FROM (
    SELECT start, sum(decisions) OVER (ORDER BY start DESC) AS decisions_since FROM usage_sum WHERE ${LEVELS.start}
  ) s WHERE decisions_since >= $7 ORDER BY start DESC LIMIT 1`

/**
 * Returns the start of an hour after which at least `limit` of the wanted charges lie. This keeps the page's scans short, one
 * for each key and model. Returns the range's start for refused requests and for too few charges. Uses days where hours are no
 * longer kept. Charges that are not summed yet can only fill the page sooner.
 */
async function firstNeeded({ env }: Runtime, client: PoolClient, wanted: RequestsWanted): Promise<Date> {
  const { accountId, from, before, keyId, model, limit } = wanted
  if (!hasCharges(wanted)) return from
  const unit = from < keptSince(new Date(), env.RETENTION_DAYS) ? DAY : HOUR
  const end = new Date(Math.floor(Number(before.micros) / 1000 / unit.ms) * unit.ms)
  const first = new Date(Math.ceil(from.getTime() / unit.ms) * unit.ms)
  const values = [accountId, unit.name, first, end, keyId ?? ALL_KEYS, model ?? ALL_MODELS, limit]
  const { rows } = await client.query<Row<"UsageSum", "start">>(ENOUGH, values)
  return rows[0]?.start ?? from
}

/** Returns whether a page can need to read many requests that are not wanted. */
const readsOthers = (wanted: RequestsWanted): boolean => {
  const { type, tag, minMs, maxMs, minPico, maxPico, model } = wanted
  const filters = [type, minMs, maxMs, minPico, maxPico]
  return tag !== undefined || filters.some((filter) => filter !== null) || (model !== null && hasRefusals(wanted))
}

interface Found {
  rows: RequestRow[]
  /** Where the search stopped, if its time was over; else null. */
  searchedTo: Date | null
}

async function readRows(client: PoolClient, wanted: RequestsWanted): Promise<RequestRow[]> {
  const statement = requestsStatement(wanted)
  return statement ? (await client.query<RequestRow>(statement.text, statement.values)).rows : []
}

/** Reads one span after the other until the page is full or the time is over. Reads at least one. */
async function search(runtime: Runtime, client: PoolClient, wanted: RequestsWanted, searchMs: number): Promise<Found> {
  const startedAt = performance.now()
  const end = new Date(Math.ceil(Number(wanted.before.micros) / 1000))
  const spans = await findSpans(runtime, client, wanted, { from: wanted.from, to: end })
  const rows: RequestRow[] = []
  for (const [at, { from, to }] of spans.entries()) {
    const before = to < end ? { micros: `${to.getTime()}000`, id: NIL_UUID } : wanted.before
    rows.push(...(await readRows(client, { ...wanted, from, before, limit: wanted.limit - rows.length })))
    if (rows.length >= wanted.limit) break
    if (performance.now() - startedAt > searchMs && at < spans.length - 1) return { rows, searchedTo: from }
  }
  return { rows, searchedTo: null }
}

function wantedOf(actor: AccountActor, input: RequestsInput, now: Date, limit: number): RequestsWanted {
  const { range, keyId, model, result, type, tag, minMs, maxMs, minUsd, maxUsd, before } = input
  const { from, to } = resolveTimes(range, now)
  const picoOf = (usd: string | undefined) => (usd === undefined ? null : parseUsd(usd))
  return {
    accountId: actor.accountId,
    from,
    before: startOf(before, to),
    keyId: keyId === undefined ? null : (parsePublicId("key", keyId) ?? NO_KEY),
    model: model ?? null,
    result: result ?? null,
    type: type ?? null,
    tag,
    minMs: minMs ?? null,
    maxMs: maxMs ?? null,
    minPico: picoOf(minUsd),
    maxPico: picoOf(maxUsd),
    limit,
  }
}

/**
 * Lists the account's requests in a range, answered and refused, newest first, `size` per page. States, questions and answers are not
 * stored. A filter by latency, cost, tag or type of question can match few of many requests. Such a search stops after `searchMs`, perhaps
 * with a page that is not full, and `next` continues it.
 */
export async function listRequests(
  runtime: Runtime,
  actor: AccountActor,
  input: RequestsInput,
  { size = PAGE, searchMs = SEARCH_MS }: { size?: number; searchMs?: number } = {},
): Promise<LoggedRequests> {
  requireRight(actor, "usage.read")
  const now = new Date()
  const wanted = wantedOf(actor, input, now, size + 1)
  const onConnection = async (client: PoolClient): Promise<Found> => {
    if (readsOthers(wanted)) return search(runtime, client, wanted, searchMs)
    const from = await firstNeeded(runtime, client, wanted)
    return { rows: await readRows(client, { ...wanted, from }), searchedTo: null }
  }
  const { rows, searchedTo } = await inTransaction(runtime.pool, onConnection, BEGIN)
  const page = rows.slice(0, size)
  const last = page.at(-1)
  const rest = searchedTo ? `${searchedTo.getTime()}000_${NIL_UUID}` : null
  return {
    asOf: now.toISOString(),
    requests: page.map(loggedRequest),
    next: rows.length > size && last ? `${last.micros}_${last.id}` : rest,
    searchedTo: searchedTo?.toISOString() ?? null,
  }
}
