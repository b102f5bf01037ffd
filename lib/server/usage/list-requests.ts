import type { PoolClient } from "pg"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import { NIL_UUID, parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { HOUR_MS } from "@/lib/shared/time"
import { keptSince, resolveRange } from "./range"
import { type LoggedRequest, loggedRequest, type RequestRow } from "./request-row"
import { type RequestsWanted, requestsStatement } from "./requests-statement"
import type { RequestsInput } from "./schema"
import { ALL_KEYS, ALL_MODELS, LEVELS, NO_KEY } from "./spent"

export interface LoggedRequests {
  asOf: string
  requests: LoggedRequest[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
}

const PAGE = 50
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
  const { accountId, from, before, keyId, model, result, limit } = wanted
  if (result !== null && result !== "answered") return from
  const unit = from < keptSince(new Date(), env.RETENTION_DAYS) ? DAY : HOUR
  const end = new Date(Math.floor(Number(before.micros) / 1000 / unit.ms) * unit.ms)
  const values = [accountId, unit.name, from, end, keyId ?? ALL_KEYS, model ?? ALL_MODELS, limit]
  const { rows } = await client.query<Row<"UsageSum", "start">>(ENOUGH, values)
  return rows[0]?.start ?? from
}

/** Lists the account's requests in a range, answered and refused, newest first, `size` per page. States, questions and answers are not stored. */
export async function listRequests(
  runtime: Runtime,
  actor: UserActor,
  { range: choice, keyId, model, result, before }: RequestsInput,
  size = PAGE,
): Promise<LoggedRequests> {
  requireRight(actor, "usage.read")
  const now = new Date()
  const range = resolveRange(choice, now)
  const wanted = {
    accountId: actor.accountId,
    from: range.from,
    before: startOf(before, range.to),
    keyId: keyId === undefined ? null : (parsePublicId("key", keyId) ?? NO_KEY),
    model: model ?? null,
    result: result ?? null,
    limit: size + 1,
  }
  const onConnection = async (client: PoolClient) => {
    const { text, values } = requestsStatement({ ...wanted, from: await firstNeeded(runtime, client, wanted) })
    return (await client.query<RequestRow>(text, values)).rows
  }
  const rows = await inTransaction(runtime.pool, onConnection, BEGIN)
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    asOf: now.toISOString(),
    requests: page.map(loggedRequest),
    next: rows.length > size && last ? `${last.micros}_${last.id}` : null,
  }
}
