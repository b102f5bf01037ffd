import type { QueryResultRow } from "pg"
import type { Row } from "@/lib/server/platform/db/row"
import { NIL_UUID, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { csvText } from "@/lib/shared/csv"
import { pico, usd12 } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"

interface CsvSource<Found> {
  head: string
  /** A statement with the account as `$1` and the last row's cursor as `$2` and so on. */
  sql: string
  first: readonly unknown[]
  cursor: (row: Found) => readonly unknown[]
  /** The fields, as CSV. */
  line: (row: Found) => readonly unknown[]
}

/** Yields the rows of an account as CSV in batches of a statement's `LIMIT`, so that a large table is never in memory. */
async function* csvOf<Found extends QueryResultRow>(
  { pool }: Runtime,
  accountId: string,
  source: CsvSource<Found>,
): AsyncGenerator<string> {
  yield `${source.head}\r\n`
  for (let after = source.first; ; ) {
    const { rows } = await pool.query<Found>(source.sql, [accountId, ...after])
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => `${source.line(row).join(",")}\r\n`).join("")
    after = source.cursor(last)
  }
}

const iso = (at: Date | null): string => at?.toISOString() ?? ""

// JavaScript cuts microseconds off, so cursors are texts.
const NEWER = "(created_at, id) > ($2::timestamptz, $3::uuid) ORDER BY created_at, id LIMIT 1000"
const BEFORE_ALL = ["-infinity", NIL_UUID] as const

/** The columns of both tables whose cursor is a time. */
type AtRow = Row<"RequestEvent", "id" | "created_at"> & { at_text: string }

const cursorOfTime = ({ at_text, id }: AtRow) => [at_text, id]

/** Requests, tokens and cost by UTC day, key and model. */
export const usageByDay = (runtime: Runtime, accountId: string) =>
  csvOf<Row<"UsageSum", "start" | "key_id" | "model_id" | "decisions" | "tokens" | "cost_pico">>(runtime, accountId, {
    head: "day_utc,key_id,model,requests,tokens,cost_usd",
    sql: `
      SELECT start, key_id, model_id, decisions, tokens, cost_pico FROM usage_sum
      WHERE account_id = $1 AND unit = 'day' AND key_id <> '${NIL_UUID}' AND model_id <> '*'
        AND (start, key_id, model_id) > ($2, $3, $4) ORDER BY start, key_id, model_id LIMIT 1000`,
    first: [new Date(0), NIL_UUID, ""],
    cursor: ({ start, key_id, model_id }) => [start, key_id, model_id],
    line: ({ start, key_id, model_id, decisions, tokens, cost_pico }) => [
      dayOf(start),
      publicId("key", key_id),
      csvText(model_id),
      decisions,
      tokens,
      usd12(pico(cost_pico)),
    ],
  })

/** Requests, tokens and cost by UTC day, tag, key and model. */
export const usageByTag = (runtime: Runtime, accountId: string) =>
  csvOf<Row<"TagSum", "start" | "tag" | "key_id" | "model_id" | "decisions" | "tokens" | "cost_pico">>(
    runtime,
    accountId,
    {
      head: "day_utc,tag,key_id,model,requests,tokens,cost_usd",
      sql: `
      SELECT start, tag, key_id, model_id, decisions, tokens, cost_pico FROM tag_sum
      WHERE account_id = $1 AND unit = 'day' AND (start, tag, key_id, model_id) > ($2, $3, $4, $5)
      ORDER BY start, tag, key_id, model_id LIMIT 1000`,
      first: [new Date(0), "", NIL_UUID, ""],
      cursor: ({ start, tag, key_id, model_id }) => [start, tag, key_id, model_id],
      line: ({ start, tag, key_id, model_id, decisions, tokens, cost_pico }) => [
        dayOf(start),
        csvText(tag),
        publicId("key", key_id),
        csvText(model_id),
        decisions,
        tokens,
        usd12(pico(cost_pico)),
      ],
    },
  )

/** Requests without a 200 by UTC day, key, model and error code. */
export const errorsByDay = (runtime: Runtime, accountId: string) =>
  csvOf<Row<"UsageError", "start" | "key_id" | "model_id" | "status" | "code" | "requests">>(runtime, accountId, {
    head: "day_utc,key_id,model,status,code,requests",
    sql: `
      SELECT start, key_id, model_id, status, code, requests FROM usage_error
      WHERE account_id = $1 AND unit = 'day' AND key_id <> '${NIL_UUID}' AND model_id <> '*'
        AND (start, key_id, model_id, code, status) > ($2, $3, $4, $5, $6)
      ORDER BY start, key_id, model_id, code, status LIMIT 1000`,
    first: [new Date(0), NIL_UUID, "", "", 0],
    cursor: ({ start, key_id, model_id, code, status }) => [start, key_id, model_id, code, status],
    line: ({ start, key_id, model_id, status, code, requests }) => [
      dayOf(start),
      publicId("key", key_id),
      csvText(model_id),
      status,
      code,
      requests,
    ],
  })

/** The logged requests without a 200. Those with one are in the ledger. */
export const refusedRequests = (runtime: Runtime, accountId: string) =>
  csvOf<AtRow & Row<"RequestEvent", "key_id" | "model_id" | "status" | "code" | "latency_ms">>(runtime, accountId, {
    head: "time_utc,request_id,key_id,model,status,code,latency_ms",
    sql: `SELECT created_at::text AS at_text, id, created_at, key_id, model_id, status, code, latency_ms
      FROM request_event WHERE account_id = $1 AND ${NEWER}`,
    first: BEFORE_ALL,
    cursor: cursorOfTime,
    line: ({ created_at, id, key_id, model_id, status, code, latency_ms }) => [
      iso(created_at),
      publicId("req", id),
      publicId("key", key_id),
      model_id === null ? "" : csvText(model_id),
      status,
      code,
      latency_ms,
    ],
  })

/** What is known of requests besides their charges and refusals. */
export const requestDetails = (runtime: Runtime, accountId: string) =>
  csvOf<
    AtRow &
      Row<"RequestDetail", "key_id" | "alias" | "state_tokens" | "question_tokens" | "retries" | "limits"> &
      Row<"RequestDetail", "read_ms" | "check_ms" | "hold_ms" | "engine_ms" | "capture_ms">
  >(runtime, accountId, {
    head: "time_utc,request_id,key_id,alias,state_tokens,question_tokens,read_ms,check_ms,hold_ms,engine_ms,capture_ms,retries,limits",
    sql: `SELECT created_at::text AS at_text, id, created_at, key_id, alias, state_tokens, question_tokens, read_ms, check_ms, hold_ms,
        engine_ms, capture_ms, retries, limits FROM request_detail WHERE account_id = $1 AND ${NEWER}`,
    first: BEFORE_ALL,
    cursor: cursorOfTime,
    line: ({ created_at, id, key_id, alias, limits, ...row }) => [
      iso(created_at),
      publicId("req", id),
      publicId("key", key_id),
      alias === null ? "" : csvText(alias),
      ...[row.state_tokens, row.question_tokens, row.read_ms, row.check_ms, row.hold_ms, row.engine_ms, row.capture_ms],
      row.retries,
      limits === null ? "" : csvText(JSON.stringify(limits)),
    ],
  })

type DeliveryRow = AtRow &
  Row<"WebhookDelivery", "endpoint_id" | "type" | "sent_at" | "attempts" | "last_status" | "last_fault" | "body">

/** The messages to webhooks, with their text. */
export const webhookDeliveries = (runtime: Runtime, accountId: string) =>
  csvOf<DeliveryRow>(runtime, accountId, {
    head: "time_utc,message_id,webhook_id,event,delivered_utc,attempts,last_status,last_fault,body",
    sql: `SELECT created_at::text AS at_text, id, created_at, endpoint_id, type, sent_at, attempts, last_status, last_fault, body
      FROM webhook_delivery WHERE account_id = $1 AND ${NEWER}`,
    first: BEFORE_ALL,
    cursor: cursorOfTime,
    line: ({ created_at, id, endpoint_id, type, sent_at, attempts, last_status, last_fault, body }) => [
      iso(created_at),
      publicId("msg", id),
      publicId("whe", endpoint_id),
      type,
      iso(sent_at),
      attempts,
      last_status ?? "",
      last_fault ?? "",
      csvText(body),
    ],
  })

/** The mails of the last 30 days to members, without their text. */
export const mails = (runtime: Runtime, accountId: string) =>
  csvOf<AtRow & Row<"QueuedMail", "kind" | "sent_at"> & Row<"User", "email">>(runtime, accountId, {
    head: "time_utc,kind,to,sent_utc",
    sql: `SELECT at_text, id, created_at, kind, email, sent_at FROM (
        SELECT q.created_at::text AS at_text, q.id, q.created_at, q.kind, u.email, q.sent_at
        FROM queued_mail q JOIN app_user u ON u.id = q.user_id WHERE q.account_id = $1) AS mail WHERE ${NEWER}`,
    first: BEFORE_ALL,
    cursor: cursorOfTime,
    line: ({ created_at, kind, email, sent_at }) => [iso(created_at), kind, csvText(email), iso(sent_at)],
  })

/** What really happened with answers, as the account reported it. */
export const outcomes = (runtime: Runtime, accountId: string) =>
  csvOf<
    Row<"Outcome", "request_id" | "question" | "type" | "model_id" | "predicted" | "score"> &
      Row<"Outcome", "outcome" | "sampled_share" | "known_at" | "stored_at">
  >(runtime, accountId, {
    head: "request_id,question,type,model,predicted,score,outcome,sampled_share,known_utc,stored_utc",
    sql: `SELECT request_id, question, type, model_id, predicted, score, outcome, sampled_share, known_at, stored_at FROM outcome
      WHERE account_id = $1 AND (request_id, question) > ($2, $3) ORDER BY request_id, question LIMIT 1000`,
    first: [NIL_UUID, ""],
    cursor: ({ request_id, question }) => [request_id, question],
    line: ({ request_id, question, type, model_id, known_at, stored_at, ...row }) => [
      publicId("req", request_id),
      csvText(question),
      type,
      csvText(model_id),
      ...[row.predicted, row.score ?? "", row.outcome, row.sampled_share ?? ""],
      iso(known_at),
      iso(stored_at),
    ],
  })
