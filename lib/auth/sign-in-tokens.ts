import "server-only"
import type { PoolClient } from "pg"
import { inTransaction } from "../db/transaction"
import { runtime } from "../runtime"

// Held while one send is counted and stored, so that simultaneous sends cannot all pass.
const SENDS_LOCK = 7315010

/** A send that came too soon. `recent` means that a link went to this very address within the last minute. */
export interface LimitedSend {
  retryAfterSeconds: number
  recent: boolean
}

interface NewSignInToken {
  tokenHash: string
  email: string
  clientAddress: string | null
  expiresAt: Date
}

interface Waits {
  minute: number | null
  hour: number | null
  client: number | null
}

const WAITS = `
  SELECT
    (SELECT ceil(extract(epoch FROM max(created_at) + interval '1 minute' - now()))::int
      FROM sign_in_token WHERE email = $1) AS minute,
    (SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::int
      FROM sign_in_token WHERE email = $1 ORDER BY created_at DESC OFFSET 4 LIMIT 1) AS hour,
    (SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::int
      FROM sign_in_token WHERE client_address = $2 ORDER BY created_at DESC OFFSET 9 LIMIT 1) AS client`

const KEEP_THREE = `
  UPDATE sign_in_token SET expires_at = '-infinity' WHERE email = $1 AND expires_at > now() AND token_hash NOT IN (
    SELECT token_hash FROM sign_in_token WHERE email = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT 3)`

async function findLimit(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | null> {
  const { rows } = await client.query<Waits>(WAITS, [token.email, token.clientAddress])
  const { minute, hour, client: ofClient } = rows[0] ?? { minute: null, hour: null, client: null }
  const retryAfterSeconds = Math.max(minute ?? 0, hour ?? 0, ofClient ?? 0)
  return retryAfterSeconds > 0 ? { retryAfterSeconds, recent: (minute ?? 0) > 0 } : null
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
  await client.query(KEEP_THREE, [token.email])
  return null
}

/**
 * Stores a link's hash unless the address had one within a minute or five within an hour, or the client asked for ten
 * within an hour (null counts no client); then it says when to try again. Of an address's links the newest three live.
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
