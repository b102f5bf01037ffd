import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import {
  type AccountActor,
  type OperatorActor,
  type UserActor,
  VISITOR,
  type VisitorActor,
} from "@/lib/server/platform/actor"
import { DROP_BATCH } from "@/lib/server/platform/db/drop-in-batches"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { EndSessionInput } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { type ProviderLogout, recordLogout } from "./oidc/provider-logouts"
import { hashSessionToken } from "./session-cookie"
import { recordSignIn } from "./sign-in-events"

export interface SessionSummary {
  /** `ses_…` */
  id: string
  /** "Chrome on Linux", or null when the browser is unknown. */
  browser: string | null
  /** The client's IP address at sign-in. */
  clientAddress: string | null
  /** ISO 8601 timestamps. `lastSeenAt` is updated at most once an hour. */
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  isCurrent: boolean
}

type SessionRow = Row<"Session", "id" | "browser" | "client_address" | "created_at" | "last_seen_at"> & {
  ends_at: Date
}

/** SQL. A session that is not used for this long ends before its `SESSION_SECONDS` are over. */
export const IDLE_LIMIT = "interval '7 days'"

/** SQL. Orders a user's memberships `m`: the account chosen last first, then own accounts, then the oldest membership. */
export const DEFAULT_ACCOUNT_FIRST = "m.chosen_at DESC NULLS LAST, m.role = 'owner' DESC, m.created_at"

/** SQL. The account that events of a `session` belong to; null for a user who is in no account. */
export const SESSION_ACCOUNT = `coalesce(session.account_id,
  (SELECT m.account_id FROM member m WHERE m.user_id = session.user_id ORDER BY ${DEFAULT_ACCOUNT_FIRST} LIMIT 1))`

const SELECT = `
  SELECT id, browser, client_address, created_at, last_seen_at, least(expires_at, last_seen_at + ${IDLE_LIMIT}) AS ends_at
  FROM session WHERE user_id = $1 AND expires_at > now() AND last_seen_at > now() - ${IDLE_LIMIT}
  ORDER BY id = $2 DESC, last_seen_at DESC, id DESC`

/** Returns the actor's sessions: the current one first, then by last use. */
export async function listSessions({ pool }: Runtime, actor: UserActor): Promise<SessionSummary[]> {
  const { rows } = await pool.query<SessionRow>(SELECT, [actor.userId, actor.sessionId])
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

type EndedRow = Row<"Session", "id" | "user_id" | "account_id">

const ENDED = `RETURNING id, user_id, ${SESSION_ACCOUNT} AS account_id`

/** Returns an operator who acts on no account as one who acts on this one; any other actor unchanged. */
const withAccount = (by: AccountActor | OperatorActor, accountId: string | null): AccountActor | OperatorActor =>
  by.type === "operator" && by.accountId === null ? { ...by, accountId } : by

/**
 * Ends the sessions that match `where` and records each in the audit log, in the transaction of `client`. If `by` has no account, each
 * entry is in the log of the session's account. That of a visitor names the session's own user. Returns the ended sessions.
 */
async function endIn(
  client: PoolClient,
  where: string,
  values: unknown[],
  by: AccountActor | VisitorActor | OperatorActor,
): Promise<EndedRow[]> {
  const { rows } = await client.query<EndedRow>(`DELETE FROM session WHERE ${where} ${ENDED}`, values)
  for (const { id, user_id: userId, account_id: accountId } of rows) {
    const actor = by.type === "visitor" ? { ...by, userId, accountId } : withAccount(by, accountId)
    await recordAudit(client, actor, { action: "session.end", subject: publicId("ses", id) })
  }
  return rows
}

/** Logs and counts ended sessions. Called after the transaction. */
function recordEnds(
  runtime: Runtime,
  ended: Pick<EndedRow, "account_id">[],
  clientAddress: string | null,
  reason: string,
): void {
  for (const row of ended)
    recordSignIn(runtime, "session.ended", { accountId: row.account_id ?? undefined, clientAddress, reason })
}

async function end(runtime: Runtime, where: string, values: unknown[], clientAddress: string | null): Promise<number> {
  const ended = await inTransaction(runtime.pool, (client) =>
    endIn(client, where, values, { ...VISITOR, clientAddress }),
  )
  recordEnds(runtime, ended, clientAddress, "user")
  return ended.length
}

/** Ends the session of a token. Ignores a token that is unknown or malformed. */
export async function endSession(
  runtime: Runtime,
  token: string | undefined,
  clientAddress: string | null,
): Promise<void> {
  const hash = hashSessionToken(token)
  if (hash) await end(runtime, "token_hash = $1", [hash], clientAddress)
}

/** Ends one of the actor's sessions. Throws `not_found` for an unknown session and for another user's. */
export async function endOwnSession(
  runtime: Runtime,
  actor: UserActor,
  { id }: EndSessionInput,
): Promise<{ id: string }> {
  const sessionId = parsePublicId("ses", id)
  const ended = sessionId
    ? await end(runtime, "id = $1 AND user_id = $2", [sessionId, actor.userId], actor.clientAddress)
    : 0
  if (ended === 0) throw new ServiceError("not_found", { message: "There is no such session. It may have ended." })
  return { id }
}

/**
 * Ends the sessions in which the actor's account is selected, in the transaction of `client`. Returns a function that records
 * the ends, to be called after the transaction.
 */
export async function endSessionsOfAccount(
  runtime: Runtime,
  client: PoolClient,
  actor: AccountActor,
): Promise<() => void> {
  const ended = await endIn(client, `${SESSION_ACCOUNT} = $1`, [actor.accountId], actor)
  return () => recordEnds(runtime, ended, null, actor.type === "operator" ? "operator" : "closed")
}

/**
 * Ends every session of a person on behalf of an operator, in the transaction of `client`. Returns a function that records the ends, to
 * be called after the transaction.
 */
export async function endSessionsForOperator(
  runtime: Runtime,
  client: PoolClient,
  operator: OperatorActor,
  userId: string,
): Promise<{ count: number; recordEnds: () => void }> {
  const ended = await endIn(client, "user_id = $1", [userId], { ...operator, accountId: null })
  return { count: ended.length, recordEnds: () => recordEnds(runtime, ended, null, "operator") }
}

/**
 * Ends every session of the actor but `keptId`, in the transaction of `client`. Returns a function that records the ends, to be
 * called after the transaction.
 */
export async function endSessionsOfUser(
  runtime: Runtime,
  client: PoolClient,
  { userId, clientAddress }: Pick<UserActor, "userId" | "clientAddress">,
  keptId: string | null = null,
): Promise<() => void> {
  const where = "user_id = $1 AND id IS DISTINCT FROM $2"
  const ended = await endIn(client, where, [userId, keptId], { ...VISITOR, clientAddress })
  return () => recordEnds(runtime, ended, clientAddress, "user")
}

/**
 * Ends the sessions of a removed member in which the actor's account or none is selected, in the transaction of `client`. Returns a
 * function that records the ends, to be called after the transaction.
 */
export async function endSessionsOfMember(
  runtime: Runtime,
  client: PoolClient,
  actor: AccountActor,
  userId: string,
): Promise<() => void> {
  const shown = "user_id = $1 AND coalesce(account_id, $2) = $2"
  const ended = await endIn(client, shown, [userId, actor.accountId], actor)
  return () => recordEnds(runtime, ended, actor.clientAddress, "removed")
}

const DROP_EXPIRED = `
  DELETE FROM session WHERE id IN (
    SELECT id FROM session WHERE expires_at <= now() OR last_seen_at <= now() - ${IDLE_LIMIT}
    LIMIT $1 FOR UPDATE SKIP LOCKED) ${ENDED}`

/**
 * Drops one batch of expired and idle sessions, of all users. Logs their ends without an audit entry, because nobody ended
 * them. Returns the number of dropped sessions.
 */
export async function dropExpiredSessions(runtime: Runtime): Promise<number> {
  const { rows } = await runtime.pool.query<EndedRow>(DROP_EXPIRED, [DROP_BATCH])
  recordEnds(runtime, rows, null, "expired")
  return rows.length
}

/** Ends every session of the actor, including the current one. */
export async function endAllSessions(runtime: Runtime, actor: UserActor): Promise<void> {
  await end(runtime, "user_id = $1", [actor.userId], actor.clientAddress)
}

interface PersonSessions extends ProviderLogout {
  /** Sessions that began at this time or later stay. */
  untilMs: number
}

// A session whose token named no session of the provider could be of any. It ends with each of the person's.
const OF_PERSON = `
  identity_id IN (SELECT id FROM user_identity WHERE issuer = $1 AND ($2::text IS NULL OR subject = $2))
  AND ($3::text IS NULL OR oidc_sid = $3 OR oidc_sid IS NULL AND $2::text IS NOT NULL) AND created_at < to_timestamp($4)`

/** Ends the sessions of a person of the OpenID provider that began before a time, and the sign-ins that have no session yet. */
export async function endSessionsOfPerson(runtime: Runtime, { untilMs, ...logout }: PersonSessions): Promise<void> {
  const values = [logout.issuer, logout.subject, logout.sid, untilMs / 1_000]
  const ended = await inTransaction(runtime.pool, async (client) => {
    await recordLogout(client, logout)
    return endIn(client, OF_PERSON, values, VISITOR)
  })
  recordEnds(runtime, ended, null, "provider")
}
