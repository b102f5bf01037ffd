import type { UserActor } from "@/lib/server/platform/actor"
import { addressBlock } from "@/lib/server/platform/client-address"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALL_SCOPES, type Scope } from "@/lib/shared/auth/confirmations"
import { hashSessionToken, readCookie, sessionCookieName } from "./session-cookie"
import { DEFAULT_ACCOUNT_FIRST, IDLE_LIMIT } from "./sessions"

type SessionRow = Row<"Session", "id" | "user_id"> &
  Row<"User", "email"> &
  Row<"Member", "account_id"> & {
    role: UserActor["role"]
    operator_role: UserActor["operatorRole"]
    stale: boolean
  } & Record<`${Scope}_confirmed`, Date>

// The provider alone says whose an address is. For an operator's, a mail has to prove it, too.
const CONFIRMED: Record<Scope, string> = {
  ...(Object.fromEntries(
    ALL_SCOPES.map((scope) => [scope, `greatest(s.created_at, s.${scope}_confirmed_at)`]),
  ) as Record<Scope, string>),
  operator: `CASE WHEN s.identity_id IS NULL THEN greatest(s.created_at, s.operator_confirmed_at)
    ELSE coalesce(s.operator_confirmed_at, to_timestamp(0)) END`,
}

const SELECT = `
  SELECT s.id, s.user_id, u.email, m.account_id, m.role, (SELECT o.role FROM operator o WHERE o.email = u.email) AS operator_role,
    s.last_seen_at < now() - interval '1 hour' AS stale,
    ${ALL_SCOPES.map((scope) => `${CONFIRMED[scope]} AS ${scope}_confirmed`).join(", ")}
  FROM session s JOIN app_user u ON u.id = s.user_id JOIN member m ON m.user_id = u.id
    JOIN account a ON a.id = m.account_id AND a.status = 'active'
  WHERE s.token_hash = $1 AND s.expires_at > now() AND s.last_seen_at > now() - ${IDLE_LIMIT}
  ORDER BY m.account_id = s.account_id DESC NULLS LAST, ${DEFAULT_ACCOUNT_FIRST} LIMIT 1`

/** Runs the look-up of a session. Clients take turns, so that one with many forged cookies delays no other's page. */
const takingTurns = <T>({ keys }: Runtime, clientAddress: string | null, find: () => Promise<T>): Promise<T> =>
  keys.lookUp(clientAddress === null ? "" : addressBlock(clientAddress), find)

/**
 * Returns the user of a session token, with the account that is selected in the session. When that is suspended, closed or no
 * longer theirs, the user's default account takes its place. Null when the token is malformed, unknown, older than 30 days or
 * idle for 7, and for a user without an active account. Reads the roles from the database each time, so that changes apply at
 * once.
 */
async function actorOfToken(
  runtime: Runtime,
  token: string | undefined,
  clientAddress: string | null,
): Promise<UserActor | null> {
  const hash = hashSessionToken(token)
  if (!hash) return null

  const { pool } = runtime
  const find = () => pool.query<SessionRow>({ name: "session-by-token", text: SELECT, values: [hash] })
  const [row] = (await takingTurns(runtime, clientAddress, find)).rows
  if (!row) return null
  if (row.stale) await pool.query("UPDATE session SET last_seen_at = now() WHERE id = $1", [row.id])
  const { account_id: accountId, user_id: userId, id: sessionId, email, role, operator_role: operatorRole } = row
  const confirmedAtMs = Object.fromEntries(
    ALL_SCOPES.map((scope) => [scope, row[`${scope}_confirmed`].getTime()]),
  ) as UserActor["confirmedAtMs"]
  return { type: "user", accountId, userId, sessionId, email, role, operatorRole, confirmedAtMs, clientAddress }
}

/** Returns the signed-in user of a `Cookie` header, or null. For routes outside Next. */
export async function actorOfCookies(
  runtime: Runtime,
  cookieHeader: string | undefined,
  clientAddress: string | null,
): Promise<UserActor | null> {
  return actorOfToken(runtime, readCookie(cookieHeader, sessionCookieName(runtime.env)), clientAddress)
}

/** Returns whether a `Cookie` header holds the token of a session that has not ended. Cheaper than finding its actor. */
export async function hasSession(
  runtime: Runtime,
  cookieHeader: string | undefined,
  clientAddress: string | null,
): Promise<boolean> {
  const { env, pool } = runtime
  const hash = hashSessionToken(readCookie(cookieHeader, sessionCookieName(env)))
  if (!hash) return false
  const text = `SELECT FROM session WHERE token_hash = $1 AND expires_at > now() AND last_seen_at > now() - ${IDLE_LIMIT}`
  const find = () => pool.query({ name: "session-exists", text, values: [hash] })
  return (await takingTurns(runtime, clientAddress, find)).rowCount === 1
}
