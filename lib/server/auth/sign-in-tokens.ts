import type { PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"

// Held while one send is counted and stored, so that simultaneous sends cannot all pass.
const SENDS_LOCK = 7315010

/** Messages an hour over all addresses; as many again are kept for browsers that signed in before. */
export const MOST_AN_HOUR = 1_000

/**
 * A send that came too soon. `recent` means that a link went to this very address within the last minutes: unless it was
 * used, it works, so nobody is locked out.
 */
export interface LimitedSend {
  retryAfterSeconds: number
  recent: boolean
}

export interface NewSignInToken {
  tokenHash: string
  email: string
  /** What one client is for the limits; null counts none. */
  clientAddress: string | null
  /** The browser proved that this address signed in there before. */
  isKnownBrowser: boolean
  expiresAt: Date
}

interface Waits {
  address: number | null
  pair: number | null
  client: number | null
  everyone: number | null
}

const AN_HOUR_AFTER = "ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::int"

// An address waits a minute, after five in an hour five minutes, but only for a link that still works and was never used:
// whoever asks in its name, its mailbox then holds a link with five minutes or more to live.
const WAITS = `
  SELECT greatest(
    (SELECT ceil(extract(epoch FROM max(created_at) + interval '1 minute' - now()))::int
      FROM sign_in_token WHERE email = $1),
    (SELECT ceil(extract(epoch FROM max(created_at) FILTER (WHERE expires_at > now()) + interval '5 minutes' - now()))::int
      FROM sign_in_token WHERE email = $1 HAVING count(*) >= 5)) AS address,
    (SELECT ${AN_HOUR_AFTER} FROM sign_in_token WHERE email = $1 AND client_address = $2
      ORDER BY created_at DESC OFFSET 4 LIMIT 1) AS pair,
    (SELECT ${AN_HOUR_AFTER} FROM sign_in_token WHERE client_address = $2
      ORDER BY created_at DESC OFFSET 9 LIMIT 1) AS client,
    (SELECT ${AN_HOUR_AFTER} FROM sign_in_token ORDER BY created_at DESC OFFSET $3 LIMIT 1) AS everyone`

// Per client too: else a stranger who asks for an address puts out the link that its owner is about to open.
const KEEP_THREE = `
  UPDATE sign_in_token SET expires_at = '-infinity'
  WHERE email = $1 AND client_address IS NOT DISTINCT FROM $2 AND expires_at > now() AND token_hash NOT IN (
    SELECT token_hash FROM sign_in_token
    WHERE email = $1 AND client_address IS NOT DISTINCT FROM $2 AND expires_at > now() ORDER BY created_at DESC LIMIT 3)`

async function findLimit(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | null> {
  const most = token.isKnownBrowser ? 2 * MOST_AN_HOUR : MOST_AN_HOUR
  const { rows } = await client.query<Waits>(WAITS, [token.email, token.clientAddress, most - 1])
  const { address, pair, client: ofClient, everyone } = rows[0] ?? { address: 0, pair: 0, client: 0, everyone: 0 }
  // What others at the same client did is held against nobody whose browser is known.
  const strangers = token.isKnownBrowser ? 0 : Math.max(pair ?? 0, ofClient ?? 0)
  const retryAfterSeconds = Math.max(address ?? 0, strangers, everyone ?? 0)
  return retryAfterSeconds > 0 ? { retryAfterSeconds, recent: (address ?? 0) > 0 } : null
}

async function insertToken(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | null> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [SENDS_LOCK])
  await client.query("DELETE FROM sign_in_token WHERE created_at < now() - interval '1 hour'")
  const limit = await findLimit(client, token)
  if (limit) return limit
  await client.query(
    `INSERT INTO sign_in_token (token_hash, email, client_address, created_at, expires_at)
     VALUES ($1, $2, $3, clock_timestamp(), $4)`,
    [token.tokenHash, token.email, token.clientAddress, token.expiresAt],
  )
  await client.query(KEEP_THREE, [token.email, token.clientAddress])
  return null
}

/**
 * Stores a link's hash, or says when to try again. The limits of docs/decisions/0021: an address by how lately it got a link
 * that works; a client by five an hour to one address and ten in all; everyone together by `MOST_AN_HOUR`.
 */
export async function storeSignInToken(token: NewSignInToken): Promise<LimitedSend | null> {
  return inTransaction(runtime().pool, (client) => insertToken(client, token))
}

/**
 * Takes back an address's newest link, whose message could not be sent: nobody has it, so the next may follow at once. The
 * hour still counts it, so that nobody can make us knock at a mail server that refuses.
 */
export async function withdrawSignInToken(email: string): Promise<void> {
  await runtime().pool.query(
    `UPDATE sign_in_token SET expires_at = '-infinity', created_at = created_at - interval '1 minute'
     WHERE token_hash = (SELECT token_hash FROM sign_in_token WHERE email = $1 ORDER BY created_at DESC LIMIT 1)`,
    [email],
  )
}

/**
 * Uses up a link; false when it is unknown, used, replaced, expired or another address's. Of simultaneous calls one wins:
 * the row lock makes the others read what it wrote, and -infinity lies before whatever their clock says.
 */
export async function consumeSignInToken(tokenHash: string, email: string): Promise<boolean> {
  const { rowCount } = await runtime().pool.query(
    "UPDATE sign_in_token SET expires_at = '-infinity' WHERE token_hash = $1 AND email = $2 AND expires_at > now()",
    [tokenHash, email],
  )
  return rowCount === 1
}
