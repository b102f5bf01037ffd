import type { ClientBase, Pool } from "pg"
import { publicId } from "@/lib/server/platform/ids"
import type { KeyStatus, KeySummary } from "@/lib/shared/keys/schema"
import { pico, usd12 } from "@/lib/shared/money"

interface KeyRow {
  id: string
  name: string
  kind: "secret" | "playground"
  masked: string | null
  limit_pico: string | null
  limit_period: "daily" | "lifetime" | null
  spent_pico: string
  resets_at: Date | null
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
  status: KeyStatus
}

// What is spent comes from the function that place_hold itself uses, so no screen disagrees with a refusal.
const SELECT = `
  SELECT id, name, kind, masked, limit_pico, limit_period, spent AS spent_pico, created_at, last_used_at, expires_at, revoked_at,
    CASE WHEN limit_period = 'daily' THEN date_trunc('day', at, 'UTC') + interval '24 h' END AS resets_at,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
         WHEN expires_at <= at THEN 'expired'
         WHEN spent >= limit_pico THEN 'limit_reached'
         ELSE 'active' END AS status
  FROM (SELECT k.*, at, spent_in_period(k, at) AS spent FROM api_key k, ledger_now() AS at WHERE account_id = $1 AND ($2::uuid IS NULL OR k.id = $2)) AS key
  ORDER BY id DESC`

const summary = (row: KeyRow): KeySummary => ({
  id: publicId("key", row.id),
  name: row.name,
  kind: row.kind,
  masked: row.masked,
  limitUsd: row.limit_pico === null ? null : usd12(pico(row.limit_pico)),
  period: row.limit_period,
  spentUsd: usd12(pico(row.spent_pico)),
  resetsAt: row.resets_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  status: row.status,
})

/** Every key of an account, newest first, revoked ones and the Playground key too; or one by its UUID. The caller has authorised. */
export async function selectKeys(
  db: Pool | ClientBase,
  accountId: string,
  keyId: string | null = null,
): Promise<KeySummary[]> {
  const { rows } = await db.query<KeyRow>(SELECT, [accountId, keyId])
  return rows.map(summary)
}
