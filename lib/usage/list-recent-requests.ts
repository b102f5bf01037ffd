import "server-only"
import type { UserActor } from "../auth/user-actor"
import { publicId } from "../ids"
import { pico, usd12 } from "../money"
import { runtime } from "../runtime"
import { RecentRequestsInput } from "./schema"

export interface RecentRequest {
  /** As in the response's `x-request-id`. */
  id: string
  at: string
  keyName: string
  model: string | null
  status: number
  /** The error's code; null for a 200. */
  code: string | null
  latencyMs: number | null
  /** Known of charged requests only; nothing of a request's content is ever kept. */
  charge: { noul: number; choice: number; score: number; tokens: number; costUsd: string } | null
}

export interface RecentRequests {
  asOf: string
  requests: RecentRequest[]
  /** Give it as `before` for the next older page; null on the last. */
  next: string | null
}

interface Row {
  id: string
  micros: string
  created_at: Date
  key_name: string
  model_id: string | null
  status: number
  code: string | null
  latency_ms: number | null
  noul_count: number | null
  choice_count: number | null
  score_count: number | null
  tokens: string | null
  amount_pico: string | null
}

const PAGE = 50
const NEWEST = "9999999999999999_ffffffff-ffff-ffff-ffff-ffffffffffff"

// Each half walks its own (account_id, created_at) index. The cursor is in whole microseconds: what PostgreSQL keeps.
const STATEMENT = `
WITH cursor AS MATERIALIZED (SELECT 'epoch'::timestamptz + $2::bigint * interval '1 microsecond' AS at, $3::uuid AS id)
SELECT r.*, (extract(epoch FROM r.created_at) * 1000000)::bigint AS micros, k.name AS key_name
FROM (
  (SELECT hold_id AS id, created_at, key_id, model_id, 200 AS status, NULL AS code, latency_ms,
      noul_count, choice_count, score_count, tokens, amount_pico
    FROM ledger_entry
    WHERE account_id = $1 AND kind = 'charge' AND (created_at, hold_id) < (SELECT at, id FROM cursor)
    ORDER BY created_at DESC, hold_id DESC LIMIT $4)
  UNION ALL
  (SELECT id, created_at, key_id, model_id, status, code, latency_ms, NULL, NULL, NULL, NULL, NULL
    FROM request_event
    WHERE account_id = $1 AND (created_at, id) < (SELECT at, id FROM cursor)
    ORDER BY created_at DESC, id DESC LIMIT $4)
) r JOIN api_key k ON k.id = r.key_id
ORDER BY r.created_at DESC, r.id DESC LIMIT $4`

const recentRequest = (row: Row): RecentRequest => ({
  id: publicId("req", row.id),
  at: row.created_at.toISOString(),
  keyName: row.key_name,
  model: row.model_id,
  status: row.status,
  code: row.code,
  latencyMs: row.latency_ms,
  charge:
    row.amount_pico === null
      ? null
      : {
          noul: row.noul_count ?? 0,
          choice: row.choice_count ?? 0,
          score: row.score_count ?? 0,
          tokens: Number(row.tokens),
          costUsd: usd12(pico(-BigInt(row.amount_pico))),
        },
})

/** The account's requests, charged and refused, newest first, fifty to a page, without anything of their content. */
export async function listRecentRequests(actor: UserActor, input: RecentRequestsInput = {}): Promise<RecentRequests> {
  const [micros, id] = (RecentRequestsInput.parse(input).before ?? NEWEST).split("_")
  const asOf = new Date().toISOString()
  const { rows } = await runtime().pool.query<Row>(STATEMENT, [actor.accountId, micros, id, PAGE + 1])
  const page = rows.slice(0, PAGE)
  const last = page.at(-1)
  return {
    asOf,
    requests: page.map(recentRequest),
    next: rows.length > PAGE && last ? `${last.micros}_${last.id}` : null,
  }
}
