import type { PoolClient } from "pg"
import { networksOf } from "@/lib/server/platform/client-networks"
import type { Scope } from "@/lib/shared/auth/confirmations"

/**
 * The limits of messages per hour to all addresses together. New browsers, known ones and confirmations are counted apart, so that none
 * uses up what another needs. Newcomers may not use up what addresses with an account need.
 */
const MAX_PER_HOUR = { newcomer: 700, withAccount: 1_000, proven: 1_000 } as const

/** Others can use up what known browsers and sessions may request. So that limit refuses an address only after this many of its own. */
const OWN_PER_HOUR = 3

/**
 * A refused send. `recent` means that this address received a link of the same kind within the last minutes. It still works
 * unless it was used, so nobody is locked out.
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
  /** Whether the browser proved that this address signed in with it before. A session proves that, too. */
  isKnownBrowser: boolean
  expiresAt: Date
  /** The session and the scope that the link confirms; undefined for a link that signs in. */
  confirms?: { sessionId: string; scope: Scope }
}

/** `sent`: the links of this kind and hour, including the new one. `max`: the limit that applies to its requester. */
export interface UsedBudget {
  sent: number
  max: number
}

/** Seconds until each limit admits another link: per mailbox, per mailbox and client, per client and its networks. Null: no delay. */
interface Delays {
  mailbox: number | null
  pair: number | null
  client: number | null
  network: number | null
  /** Whether the address has an account. */
  known: boolean
}

const THIS_HOUR = "created_at > now() - interval '1 hour'"
// Sign-in links and confirmations are counted apart for an address, because neither kind works as the other.
const OF_ADDRESS = `email = $1 AND (session_id IS NOT NULL) = $5 AND ${THIS_HOUR}`
const AN_HOUR_AFTER = "ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::int"

// An address waits one minute. After five links in an hour it waits five minutes, but only while its newest link works.
// So its mailbox then has a link of that kind that is valid for at least five minutes, no matter who requested it.
const DELAYS = `
  SELECT greatest(
    (SELECT ceil(extract(epoch FROM max(created_at) + interval '1 minute' - now()))::int
      FROM sign_in_token WHERE ${OF_ADDRESS}),
    (SELECT ceil(extract(epoch FROM max(created_at) FILTER (WHERE expires_at > now()) + interval '5 minutes' - now()))::int
      FROM sign_in_token WHERE ${OF_ADDRESS} HAVING count(*) >= 5)) AS mailbox,
    (SELECT ${AN_HOUR_AFTER} FROM sign_in_token WHERE email = $1 AND client_address = $2 AND ${THIS_HOUR}
      ORDER BY created_at DESC OFFSET 4 LIMIT 1) AS pair,
    (SELECT ${AN_HOUR_AFTER} FROM sign_in_token WHERE client_address = $2 AND ${THIS_HOUR}
      ORDER BY created_at DESC OFFSET 9 LIMIT 1) AS client,
    (SELECT max(delay) FROM unnest($3::text[], $4::int[]) AS n(network, most) CROSS JOIN LATERAL (
      SELECT ${AN_HOUR_AFTER} AS delay FROM sign_in_token WHERE networks @> ARRAY[n.network] AND ${THIS_HOUR}
        ORDER BY created_at DESC OFFSET n.most - 1 LIMIT 1) AS full_network) AS network,
    EXISTS (SELECT 1 FROM app_user WHERE email = $1) AS known`

const OF_KIND = `known_browser = $2 AND (session_id IS NOT NULL) = $3 AND ${THIS_HOUR}`

// The delay until the service as a whole may send another link of the same kind, how many it sent in this hour, and how many to the address.
const BUDGET = `
  SELECT (SELECT ${AN_HOUR_AFTER} FROM sign_in_token WHERE ${OF_KIND} ORDER BY created_at DESC OFFSET $1 LIMIT 1) AS delay,
    (SELECT count(*)::int FROM sign_in_token WHERE ${OF_KIND}) AS sent,
    (SELECT count(*)::int FROM sign_in_token WHERE email = $4 AND ${OF_KIND}) AS own`

interface Budget extends UsedBudget {
  delay: number | null
}

/** Returns how much of the hour's budget was used, and the seconds until it admits the link. Null: no delay. */
async function readBudget(
  client: PoolClient,
  { email, isKnownBrowser, confirms }: NewSignInToken,
  hasAccount: boolean,
): Promise<Budget> {
  const max = MAX_PER_HOUR[isKnownBrowser ? "proven" : hasAccount ? "withAccount" : "newcomer"]
  const values = [max - 1, isKnownBrowser, confirms !== undefined, email]
  const { rows } = await client.query<Omit<Budget, "max"> & { own: number }>(BUDGET, values)
  const { delay, sent, own } = rows[0] as (typeof rows)[number]
  return { delay: isKnownBrowser && own < OWN_PER_HOUR ? null : delay, sent: sent + 1, max }
}

/** Returns the limit that refuses a link, or how much of the hour's budget was used. The caller stores the link under the same lock. */
export async function findLimit(client: PoolClient, token: NewSignInToken): Promise<LimitedSend | UsedBudget> {
  const networks = token.clientAddress === null ? [] : networksOf(token.clientAddress)
  const delays = await client.query<Delays>(DELAYS, [
    token.email,
    token.clientAddress,
    networks.map(({ network }) => network),
    networks.map(({ maxPerHour }) => maxPerHour),
    token.confirms !== undefined,
  ])
  const { mailbox, pair, client: ofClient, network, known } = delays.rows[0] as Delays
  const { delay, sent, max } = await readBudget(client, token, known)
  // A known browser is exempt from the limits per client, which other people behind the same address may use up.
  const clientDelay = token.isKnownBrowser ? 0 : Math.max(pair ?? 0, ofClient ?? 0, network ?? 0)
  const retryAfterSeconds = Math.max(mailbox ?? 0, clientDelay, delay ?? 0)
  return retryAfterSeconds > 0 ? { retryAfterSeconds, recent: (mailbox ?? 0) > 0 } : { sent, max }
}
