import type { Pool } from "pg"
import type { RequestFacts } from "@/lib/server/decisions/request-facts"
import type { PerSecond, WindowState } from "@/lib/server/limits/windows"
import type { Payer } from "@/lib/server/platform/actor"
import type { StoredLimits } from "@/lib/server/usage/request-details"
import type { ServiceError } from "@/lib/shared/errors"

/** The rate limits of a key and of its account, and the windows after a request was counted. */
export interface Rates {
  perSecond: PerSecond
  window: WindowState
}

/** What is stored of a listed request besides its charge or its refusal. It holds none of the request's content. */
export interface RequestDetails {
  requestId: string
  actor: Payer
  at: Date
  facts: RequestFacts
  /** How often the client says that it sent the request before. */
  retries: number
  /** For a refused request: the limits at that moment. */
  limits: StoredLimits | null
}

/** Returns the limits of a refused request as its response stated them. Amounts are those of the error. */
export function limitsOf(rates: Rates | null, { status, extra, retryAfterSeconds }: ServiceError): StoredLimits {
  const { limit_usd, resets_at, required_usd, available_usd } = extra
  const shown = rates && status !== 401 ? { ...rates.perSecond, ...rates.window } : null
  return {
    rate: shown && {
      perKey: shown.key,
      perAccount: shown.account,
      ...{ limit: shown.limit, counted: shown.used, remaining: shown.remaining, resetSeconds: shown.resetSeconds },
    },
    retryAfterSeconds: retryAfterSeconds ?? null,
    keyLimitUsd: limit_usd ?? null,
    keyResetsAt: resets_at ?? null,
    requiredUsd: required_usd ?? null,
    availableUsd: available_usd ?? null,
  }
}

const INSERT = `
INSERT INTO request_detail (id, account_id, key_id, created_at, alias, shape, state_tokens, question_tokens,
  read_ms, check_ms, hold_ms, engine_ms, capture_ms, retries, limits)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::bigint[], $7::int[], $8::int[],
  $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::smallint[], $15::jsonb[])
ON CONFLICT DO NOTHING`

const STAGES = ["read", "check", "hold", "engine", "capture"] as const

/** Writes the details of requests in one statement. */
export const writeDetails = (pool: Pool, batch: RequestDetails[]) =>
  pool.query(INSERT, [
    batch.map(({ requestId }) => requestId),
    batch.map(({ actor }) => actor.accountId),
    batch.map(({ actor }) => actor.keyId),
    batch.map(({ at }) => at),
    batch.map(({ facts }) => facts.alias),
    batch.map(({ facts }) => facts.shape),
    batch.map(({ facts }) => facts.stateTokens),
    batch.map(({ facts }) => facts.questionTokens),
    ...STAGES.map((stage) => batch.map(({ facts }) => facts.stagesMs[stage] ?? null)),
    batch.map(({ retries }) => retries),
    batch.map(({ limits }) => limits && JSON.stringify(limits)),
  ])
