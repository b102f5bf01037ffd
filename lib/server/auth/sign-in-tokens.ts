import type { PoolClient } from "pg"
import { networksOf } from "@/lib/server/platform/client-networks"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { recordSignIn } from "./sign-in-events"
import { findLimit, type LimitedSend, type NewSignInToken, type UsedBudget } from "./sign-in-limits"

/** From this share of a limit on, each message is logged as `sign_in.budget_low`. */
const LOW_FROM = 0.8

// SQL. The working links of one address, client and session. Sign-in links have no session, and confirmations no client.
const ALIKE = `email = $1 AND client_address IS NOT DISTINCT FROM $2 AND session_id IS NOT DISTINCT FROM $3 AND expires_at > now()`

// Keeps the newest three links of `ALIKE`, so requests of another client or session never invalidate the owner's link.
const KEEP_THREE = `
  UPDATE sign_in_token SET expires_at = '-infinity'
  WHERE ${ALIKE} AND token_hash NOT IN (
    SELECT token_hash FROM sign_in_token WHERE ${ALIKE} ORDER BY created_at DESC LIMIT 3)`

async function insertToken(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | UsedBudget> {
  // Held while a send is counted and stored, so that concurrent sends cannot all pass the limits.
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.signInLinks])
  const limit = await findLimit(client, token)
  if ("recent" in limit) return limit
  await client.query(
    `INSERT INTO sign_in_token (token_hash, email, client_address, created_at, expires_at, networks, session_id, scope, known_browser)
     VALUES ($1, $2, $3, clock_timestamp(), $4, $5, $6, $7, $8)`,
    [
      token.tokenHash,
      token.email,
      token.clientAddress,
      token.expiresAt,
      token.clientAddress === null ? [] : networksOf(token.clientAddress).map(({ network }) => network),
      token.confirms?.sessionId ?? null,
      token.confirms?.scope ?? null,
      token.isKnownBrowser,
    ],
  )
  await client.query(KEEP_THREE, [token.email, token.clientAddress, token.confirms?.sessionId ?? null])
  return limit
}

/** Stores a link's hash. Returns null, or when to try again if a limit of sign-in-limits.ts is used up. */
export async function storeSignInToken(runtime: Runtime, token: NewSignInToken): Promise<LimitedSend | null> {
  const stored = await inTransaction(runtime.pool, (client) => insertToken(client, token))
  if ("recent" in stored) return stored
  if (stored.sent >= LOW_FROM * stored.max) recordSignIn(runtime, "sign_in.budget_low", { count: stored.sent })
  return null
}

/**
 * Invalidates a link whose mail could not be sent, so that the next one can be requested at once. The link still counts for the
 * hour, which bounds the calls to a failing mail server. A newer link stays: its mail may have been delivered meanwhile.
 */
export async function withdrawSignInToken({ pool }: Runtime, tokenHash: string): Promise<void> {
  await pool.query(
    `UPDATE sign_in_token SET expires_at = '-infinity', created_at = created_at - interval '1 minute'
     WHERE token_hash = $1`,
    [tokenHash],
  )
}

/**
 * Consumes a link. Returns false when it is unknown, used, replaced, expired or another address's. Of concurrent calls one
 * succeeds, because the row is locked.
 */
export async function consumeSignInToken({ pool }: Runtime, tokenHash: string, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "UPDATE sign_in_token SET expires_at = '-infinity' WHERE token_hash = $1 AND email = $2 AND expires_at > now()",
    [tokenHash, email],
  )
  return rowCount === 1
}
