import type { PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"

// Held while a send is counted and stored, so that concurrent sends cannot all pass the limits.
const SENDS_LOCK = 7315010

/** The limit of messages per hour to all addresses. Browsers that signed in before have as many again. */
export const MAX_PER_HOUR = 1_000

/**
 * A refused send. `recent` means that this address received a link within the last minutes. It still works unless it was
 * used, so nobody is locked out.
 */
export interface LimitedSend {
  retryAfterSeconds: number
  recent: boolean
}

export interface NewSignInToken {
  tokenHash: string
  email: string
  /** The client as the limits count it; null is not counted. */
  clientAddress: string | null
  /** Whether the browser proved that this address signed in with it before. */
  isKnownBrowser: boolean
  expiresAt: Date
}

/** Seconds until each limit admits another link: per address, per address and client, per client, in total. Null: no delay. */
interface Delays {
  address: number | null
  pair: number | null
  client: number | null
  everyone: number | null
}

const AN_HOUR_AFTER = "ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::int"

// An address waits one minute. After five links in an hour it waits five minutes, but only while its newest link works.
// So its mailbox then has a link that is valid for at least five minutes, no matter who requested it.
const DELAYS = `
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

// Counts the three newest links per address and client, so that another client's requests never invalidate the owner's link.
const KEEP_THREE = `
  UPDATE sign_in_token SET expires_at = '-infinity'
  WHERE email = $1 AND client_address IS NOT DISTINCT FROM $2 AND expires_at > now() AND token_hash NOT IN (
    SELECT token_hash FROM sign_in_token
    WHERE email = $1 AND client_address IS NOT DISTINCT FROM $2 AND expires_at > now() ORDER BY created_at DESC LIMIT 3)`

async function findLimit(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | null> {
  const max = token.isKnownBrowser ? 2 * MAX_PER_HOUR : MAX_PER_HOUR
  const { rows } = await client.query<Delays>(DELAYS, [token.email, token.clientAddress, max - 1])
  const { address, pair, client: ofClient, everyone } = rows[0] ?? { address: 0, pair: 0, client: 0, everyone: 0 }
  // A known browser is exempt from the limits per client, which other people behind the same address may use up.
  const clientDelay = token.isKnownBrowser ? 0 : Math.max(pair ?? 0, ofClient ?? 0)
  const retryAfterSeconds = Math.max(address ?? 0, clientDelay, everyone ?? 0)
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
 * Stores a link's hash, or returns when to try again. An address gets one link a minute, and fewer after five in an hour. A
 * client gets five an hour to one address and ten in all. The service sends `MAX_PER_HOUR` (docs/decisions/0021).
 */
export async function storeSignInToken(token: NewSignInToken): Promise<LimitedSend | null> {
  return inTransaction(runtime().pool, (client) => insertToken(client, token))
}

/**
 * Invalidates an address's newest link, whose mail could not be sent, so that the next one can be requested at once. It still
 * counts for the hour, so that nobody can make the service call a failing mail server without limit.
 */
export async function withdrawSignInToken(email: string): Promise<void> {
  await runtime().pool.query(
    `UPDATE sign_in_token SET expires_at = '-infinity', created_at = created_at - interval '1 minute'
     WHERE token_hash = (SELECT token_hash FROM sign_in_token WHERE email = $1 ORDER BY created_at DESC LIMIT 1)`,
    [email],
  )
}

/**
 * Consumes a link. Returns false when it is unknown, used, replaced, expired or another address's. Of concurrent calls one
 * succeeds: the others wait for its row lock and then find that the link has expired.
 */
export async function consumeSignInToken(tokenHash: string, email: string): Promise<boolean> {
  const { rowCount } = await runtime().pool.query(
    "UPDATE sign_in_token SET expires_at = '-infinity' WHERE token_hash = $1 AND email = $2 AND expires_at > now()",
    [tokenHash, email],
  )
  return rowCount === 1
}
