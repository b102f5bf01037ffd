import { recordAudit } from "@/lib/server/audit/record-audit"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { EndSessionInput } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { hashSessionToken } from "./session-cookie"

export interface SessionSummary {
  /** `ses_…` */
  id: string
  /** "Chrome on Linux", or null when the browser is unknown. */
  browser: string | null
  /** The address of the sign-in. */
  clientAddress: string | null
  /** ISO texts. `lastSeenAt` is updated at most once an hour. */
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  /** Whether it is the actor's current session. */
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

/** Returns the actor's sessions: the current one first, then by last use. */
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

interface EndedRow {
  id: string
  user_id: string
  account_id: string | null
}

const ENDED = `RETURNING id, user_id,
  (SELECT account_id FROM member m WHERE m.user_id = session.user_id ORDER BY role = 'owner' DESC, created_at LIMIT 1) AS account_id`

/** Ends the sessions that match `where` and records each in the audit log, in one transaction. Returns their number. */
async function end(where: string, values: unknown[], clientAddress: string | null): Promise<number> {
  return inTransaction(runtime().pool, async (client) => {
    const { rows } = await client.query<EndedRow>(`DELETE FROM session WHERE ${where} ${ENDED}`, values)
    for (const { id, user_id: userId, account_id: accountId } of rows) {
      const actor = { type: "user", userId, accountId, clientAddress } as const
      await recordAudit(client, actor, { action: "session.end", subject: publicId("ses", id) })
    }
    return rows.length
  })
}

/** Ends the session of a token. Ignores a token that is unknown or malformed. */
export async function endSession(token: string | undefined, clientAddress: string | null): Promise<void> {
  const hash = hashSessionToken(token)
  if (hash) await end("token_hash = $1", [hash], clientAddress)
}

/** Ends one of the actor's sessions. Throws `not_found` for an unknown session and for another user's. */
export async function endOwnSession(actor: UserActor, input: EndSessionInput): Promise<{ id: string }> {
  const { id } = parseInput(EndSessionInput, input)
  const sessionId = parsePublicId("ses", id)
  const ended = sessionId ? await end("id = $1 AND user_id = $2", [sessionId, actor.userId], actor.clientAddress) : 0
  if (ended === 0) throw new ServiceError("not_found", { message: "There is no such session. It may have ended." })
  return { id }
}

/** Ends every session of the actor, including the current one. */
export async function endAllSessions(actor: UserActor): Promise<void> {
  await end("user_id = $1", [actor.userId], actor.clientAddress)
}
