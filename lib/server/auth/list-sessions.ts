import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"

export interface SessionSummary {
  /** `ses_…` */
  id: string
  /** "Chrome on Linux", or null when the browser did not say. */
  browser: string | null
  /** Where it was opened from. */
  clientAddress: string | null
  /** ISO texts. The last use is noted once an hour. */
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  /** The one that asks. */
  isCurrent: boolean
}

interface SessionRow {
  id: string
  browser: string | null
  client_address: string | null
  created_at: Date
  last_seen_at: Date
  ends_at: Date
}

const SELECT = `
  SELECT id, browser, client_address, created_at, last_seen_at, least(expires_at, last_seen_at + interval '7 days') AS ends_at
  FROM session WHERE user_id = $1 AND expires_at > now() AND last_seen_at > now() - interval '7 days'
  ORDER BY id = $2 DESC, last_seen_at DESC, id DESC`

/** Where the actor is signed in: the session that asks first, then by last use. */
export async function listSessions(actor: UserActor): Promise<SessionSummary[]> {
  const { rows } = await runtime().pool.query<SessionRow>(SELECT, [actor.userId, actor.sessionId])
  return rows.map((row) => ({
    id: publicId("ses", row.id),
    browser: row.browser,
    clientAddress: row.client_address,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.ends_at.toISOString(),
    isCurrent: row.id === actor.sessionId,
  }))
}
