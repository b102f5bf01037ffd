import type { ClientBase } from "pg"
import { ALL_RIGHTS, type OperatorRole, operatorHas, type Right, type Role, roleHas } from "@/lib/shared/accounts/roles"
import { tokenRightsNow } from "@/lib/shared/accounts/token-scopes"
import { ServiceError } from "@/lib/shared/errors"
import type { Actor, OperatorActor, TokenActor, UserActor } from "./actor"
import type { Row } from "./db/row"

// Each keeps what it reads as it is until the transaction ends, so that a revocation or a change of role comes after the change.
const MEMBER = "SELECT role FROM member WHERE account_id = $1 AND user_id = $2 FOR SHARE"
const UNEXPIRED = "(expires_at IS NULL OR expires_at > clock_timestamp()) FOR SHARE"
const ACCOUNT_TOKEN = `SELECT rights FROM account_token WHERE id = $1 AND ${UNEXPIRED}`
const OPERATOR_TOKEN = `SELECT FROM operator_token WHERE id = $1 AND revoked_at IS NULL AND ${UNEXPIRED}`
const OPERATOR = `
  SELECT o.role FROM app_user u JOIN operator o ON o.email = u.email WHERE u.id = $1 AND u.erased_at IS NULL FOR SHARE OF o`

/** Returns the role of a user in an account; null for one who is no member. */
async function memberRole(client: ClientBase, accountId: string, userId: string | null): Promise<Role | null> {
  if (userId === null) return null
  const { rows } = await client.query<Row<"Member", "role">>(MEMBER, [accountId, userId])
  return (rows[0]?.role ?? null) as Role | null
}

const requireAll = (had: readonly Right[], has: (right: Right) => boolean): void => {
  if (!had.every(has)) throw new ServiceError("forbidden", { message: "Your role in this account has just changed." })
}

async function requireMember(client: ClientBase, { accountId, userId, role }: UserActor): Promise<void> {
  const now = await memberRole(client, accountId, userId)
  requireAll(
    ALL_RIGHTS.filter((right) => roleHas(role, right)),
    (right) => now !== null && roleHas(now, right),
  )
}

const ended = (): ServiceError =>
  new ServiceError("invalid_api_key", { message: "This token was revoked or expired, or lost a scope." })

async function requireAccountToken(client: ClientBase, actor: TokenActor): Promise<void> {
  const { rows } = await client.query<Row<"AccountToken", "rights">>(ACCOUNT_TOKEN, [actor.tokenId])
  const now = rows[0] ? tokenRightsNow(rows[0].rights, await memberRole(client, actor.accountId, actor.userId)) : []
  if (!actor.rights.every((right) => now.includes(right))) throw ended()
}

/** `OPERATOR_EMAILS` names the admins, and changes with a restart only. */
async function requireOperator(client: ClientBase, { token, userId, role }: OperatorActor): Promise<void> {
  if (token && (await client.query(OPERATOR_TOKEN, [token.id])).rowCount === 0) throw ended()
  if (userId === null || role === "admin") return
  const { rows } = await client.query<{ role: OperatorRole }>(OPERATOR, [userId])
  requireAll(
    ALL_RIGHTS.filter((right) => operatorHas(role, right)),
    (right) => rows[0] !== undefined && operatorHas(rows[0].role, right),
  )
}

/**
 * Throws `forbidden` or `invalid_api_key` unless the actor still has every right that it had when its request began. Keeps them until the
 * transaction of `client` ends. Call it after the last lock that the change waits for.
 */
export async function requireStillAllowed(client: ClientBase, actor: Actor): Promise<void> {
  if (actor.type === "user") await requireMember(client, actor)
  if (actor.type === "token") await requireAccountToken(client, actor)
  if (actor.type === "operator") await requireOperator(client, actor)
}

/** Does what `requireStillAllowed` does for the token of a program. Checks nobody else. */
export async function requireTokenStillAllowed(client: ClientBase, actor: Actor): Promise<void> {
  if (actor.type === "token" || (actor.type === "operator" && actor.token)) await requireStillAllowed(client, actor)
}
