import type { PoolClient } from "pg"
import type { Payer } from "@/lib/server/platform/actor"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import { parsePublicId, timeOf } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { timesNear } from "@/lib/server/usage/find-request"
import { keptSince } from "@/lib/server/usage/range"
import { ServiceError } from "@/lib/shared/errors"
import type { OutcomeItem, OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { DAY_MS } from "@/lib/shared/time"
import { type Counted, countOutcomes } from "./count-outcomes"
import { happened } from "./happened"
import { keepingIsOff, keepsOutcomes, requireKeeping } from "./keep-outcomes"

type Refused = "request_id" | "type" | "at"
const REFUSALS: Record<Refused, string> = {
  request_id: "This account has no charged request with this id.",
  type: "The request did not have so many questions of this type.",
  at: "The time is before the request or in the future.",
}
const refuse = (place: number, field: Refused): never => {
  throw new ServiceError("invalid_request", { path: ["outcomes", place, field], message: REFUSALS[field] })
}

interface Reported {
  item: OutcomeItem
  /** The item's index in the body. */
  place: number
  /** The request's UUID. */
  requestId: string
  at: Date
}

/** Parses ids and times. Throws `invalid_request` for the first item with a bad one. */
function readItem(item: OutcomeItem, place: number, now: number): Reported {
  const requestId = parsePublicId("req", item.request_id) ?? refuse(place, "request_id")
  const at = item.at === undefined ? new Date(now) : new Date(item.at)
  // Clocks may be wrong by a day.
  const isPossible = at.getTime() > timeOf(requestId).getTime() - DAY_MS && at.getTime() < now + DAY_MS
  return { item, place, requestId, at: isPossible ? at : refuse(place, "at") }
}

/**
 * Requests of one second are looked up together: the index finds blocks of entries that have about as many, and their time leads to
 * their partition. Requests that are further apart are not, because all entries between them would be read. `IS TRUE` and `OFFSET 0`
 * keep the planner from searching each second for the ids of all seconds, and from reading the account's entries first.
 */
const CHARGES = `
  SELECT c.hold_id, c.model_id, c.counts
  FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[]) AS r(first, last, since, until)
  CROSS JOIN LATERAL (
    SELECT e.hold_id, e.model_id, question_counts_of(e) AS counts FROM ledger_entry e
    WHERE e.account_id = $1 AND e.hold_id BETWEEN r.first AND r.last AND (e.hold_id = ANY ($6::uuid[])) IS TRUE AND e.kind = 'charge'
      AND e.created_at BETWEEN r.since AND r.until OFFSET 0) AS c`

/** Returns the first and the last of the ids of each second. Ids begin with their time, so their order is that of time. */
function secondsOf(ids: string[]): { first: string; last: string }[] {
  const seconds = new Map<number, { first: string; last: string }>()
  for (const id of ids.toSorted()) {
    const second = Math.floor(timeOf(id).getTime() / 1_000)
    seconds.set(second, { first: seconds.get(second)?.first ?? id, last: id })
  }
  return [...seconds.values()]
}

type ChargeRow = Present<Row<"LedgerEntry", "hold_id" | "model_id">> & { counts: Record<string, number> }

/** Returns the charges of the account's requests, by UUID. */
async function findCharges(client: PoolClient, accountId: string, ids: string[]): Promise<Map<string, ChargeRow>> {
  const seconds = secondsOf(ids)
  const { rows } = await client.query<ChargeRow>(CHARGES, [
    accountId,
    seconds.map(({ first }) => first),
    seconds.map(({ last }) => last),
    seconds.map(({ first }) => timesNear(first)[0]),
    seconds.map(({ last }) => timesNear(last)[1]),
    ids,
  ])
  return new Map(rows.map((row) => [row.hold_id, row]))
}

const keyOf = ({ requestId, item }: Reported): string => `${requestId} ${item.question}`

/** Returns the last report for each question of each request, in the order in which concurrent requests lock the rows too. */
const lastReports = (reported: Reported[]): Reported[] =>
  [...new Map(reported.map((each) => [keyOf(each), each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each)

const STORE = `
  INSERT INTO outcome (account_id, request_id, question, type, model_id, predicted, score, outcome, known_at, sampled_share)
  SELECT $1::uuid, given.*, $10::float8 FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::int2[], $9::timestamptz[]) AS given
  ON CONFLICT (account_id, request_id, question) DO UPDATE SET
    type = excluded.type, model_id = excluded.model_id, predicted = excluded.predicted, score = excluded.score,
    outcome = excluded.outcome, known_at = excluded.known_at, sampled_share = excluded.sampled_share, stored_at = now()
  RETURNING request_id, question, xmax = 0 AS is_new`

/** Returns the columns `predicted`, `score` and `outcome` of an item. */
const figuresOf = (item: OutcomeItem): [predicted: number, score: number | null, outcome: number] =>
  item.type === "score"
    ? [item.predicted.within_one, item.predicted.score, item.outcome]
    : [item.predicted, null, Number(item.outcome)]

interface NewReport extends Counted {
  requestId: string
}

/** Stores reports. Returns the ones that replace no stored one, in the order of `reports`. */
async function storeReports(
  client: PoolClient,
  accountId: string,
  reports: Reported[],
  charges: Map<string, ChargeRow>,
  sampledShare: number | null,
): Promise<NewReport[]> {
  const facts = reports.map(({ requestId, item, at }) => {
    const [predicted, score, outcome] = figuresOf(item)
    const model = charges.get(requestId)?.model_id ?? ""
    return { requestId, question: item.question, type: item.type, model, predicted, score, outcome, at }
  })
  const names = ["requestId", "question", "type", "model", "predicted", "score", "outcome", "at"] as const
  const columns = names.map((name) => facts.map((each) => each[name]))
  const { rows } = await client.query<Row<"Outcome", "request_id" | "question"> & { is_new: boolean }>(STORE, [
    accountId,
    ...columns,
    sampledShare,
  ])
  const added = new Set(rows.filter(({ is_new }) => is_new).map((row) => `${row.request_id} ${row.question}`))
  return facts
    .filter(({ requestId, question }) => added.has(`${requestId} ${question}`))
    .map((each) => ({ ...each, happened: happened(each) }))
}

/** Rows of another question's name could otherwise grow without end. */
const STORED = `
  SELECT request_id, type, count(*)::int AS stored FROM outcome
  WHERE account_id = $1 AND request_id = ANY ($2) GROUP BY request_id, type`

/** Throws `invalid_request` for a type of which the request had fewer questions than outcomes are stored now. */
async function refuseExcess(
  client: PoolClient,
  accountId: string,
  reports: Reported[],
  charges: Map<string, ChargeRow>,
): Promise<void> {
  const { rows } = await client.query<Row<"Outcome", "request_id" | "type"> & { stored: number }>(STORED, [
    accountId,
    [...charges.keys()],
  ])
  for (const { request_id, type, stored } of rows) {
    if (stored <= (charges.get(request_id)?.counts[type] ?? 0)) continue
    const places = reports.filter(({ requestId, item }) => requestId === request_id && item.type === type)
    refuse(Math.max(0, ...places.map(({ place }) => place)), "type")
  }
}

/**
 * Stores what really happened with answers to the payer's account, all or nothing, and returns how many outcomes it stored. A repeat
 * for a question of a request replaces the earlier outcome, and alarms count only the first. They count none of a request from before
 * `RETENTION_DAYS`, because its first outcome may have been dropped. Throws `invalid_request` while the account keeps no outcomes, for a
 * request that the account was not charged for, and for a type that the request did not have. `onStored` runs in the transaction.
 */
export async function storeOutcomes(
  runtime: Runtime,
  { accountId }: Pick<Payer, "accountId">,
  { outcomes, sampled_share: sampledShare }: OutcomeRequest,
  onStored: (client: PoolClient) => Promise<void> = async () => {},
): Promise<{ stored: number }> {
  if (!(await keepsOutcomes(runtime, accountId))) throw keepingIsOff()
  const now = Date.now()
  const reported = outcomes.map((item, place) => readItem(item, place, now))
  const reports = lastReports(reported)
  const since = keptSince(new Date(now), runtime.env.RETENTION_DAYS)
  const begin = `BEGIN; ${LIMIT_STATEMENTS}`
  const fired = await inTransaction(
    runtime.pool,
    async (client) => {
      const charges = await findCharges(client, accountId, [...new Set(reported.map(({ requestId }) => requestId))])
      const unknown = reported.find(({ requestId }) => !charges.has(requestId))
      if (unknown) refuse(unknown.place, "request_id")
      await requireKeeping(client, accountId)
      const added = await storeReports(client, accountId, reports, charges, sampledShare ?? null)
      await refuseExcess(client, accountId, reports, charges)
      await onStored(client)
      const counted = added.filter(({ requestId }) => timeOf(requestId) >= since)
      return countOutcomes(client, accountId, counted)
    },
    begin,
  )
  for (const claim of fired) runtime.metrics.outcomeAlarm(claim)
  return { stored: reports.length }
}
