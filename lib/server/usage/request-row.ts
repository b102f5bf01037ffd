import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import { pico, usd12, usdPerMillion } from "@/lib/shared/money"

/** One request whose key was accepted. Its content is never stored. */
export interface LoggedRequest {
  /** As in the response's `x-request-id`. */
  id: string
  at: string
  keyId: string
  keyName: string
  model: string | null
  status: number
  /** The error's code; null for a 200. */
  code: string | null
  latencyMs: number | null
  /** Null unless the request was charged. */
  charge: {
    questionCounts: Partial<Record<string, number>>
    tokens: number
    costUsd: string
    pricePerMillionUsd: string | null
    tags: string[]
  } | null
}

export type RequestRow = Row<"RequestEvent", "id" | "created_at" | "key_id" | "model_id" | "status"> &
  Nullable<
    Row<"RequestEvent", "code"> & Row<"LedgerEntry", "latency_ms" | "tokens" | "amount_pico" | "price_pico" | "tags">
  > & {
    micros: string
    key_name: string
    question_counts: Record<string, number> | null
  }

/** Selects the columns of a `RequestRow` from the two tables, without the key's name and the time in microseconds. */
export const CHARGE_COLUMNS = `hold_id AS id, created_at, key_id, model_id, 200 AS status, NULL AS code, latency_ms,
  question_counts_of(ledger_entry) AS question_counts, tokens, amount_pico, price_pico, tags`
export const EVENT_COLUMNS = `id, created_at, key_id, model_id, status, code, latency_ms,
  NULL::jsonb AS question_counts, NULL::bigint AS tokens, NULL::bigint AS amount_pico, NULL::bigint AS price_pico,
  NULL::text[] AS tags`

/** Selects a `RequestRow` where `r` has those columns and `k` is its key. Microseconds are PostgreSQL's own precision. */
export const ROW_COLUMNS = "r.*, (extract(epoch FROM r.created_at) * 1000000)::bigint AS micros, k.name AS key_name"

export const loggedRequest = (row: RequestRow): LoggedRequest => ({
  id: publicId("req", row.id),
  at: row.created_at.toISOString(),
  keyId: publicId("key", row.key_id),
  keyName: row.key_name,
  model: row.model_id,
  status: row.status,
  code: row.code,
  latencyMs: row.latency_ms,
  charge:
    row.amount_pico === null
      ? null
      : {
          questionCounts: row.question_counts ?? {},
          tokens: Number(row.tokens),
          costUsd: usd12(pico(-BigInt(row.amount_pico))),
          pricePerMillionUsd: row.price_pico === null ? null : usdPerMillion(pico(row.price_pico)),
          tags: row.tags ?? [],
        },
})
