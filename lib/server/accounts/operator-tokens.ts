import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { newSecret } from "@/lib/server/keys/secret"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { hasRight, type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Env } from "@/lib/server/platform/env"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALL_RIGHTS, type OperatorRole, operatorHas, type Right } from "@/lib/shared/accounts/roles"
import type { CreatedAccountToken } from "@/lib/shared/accounts/schema"
import { ServiceError } from "@/lib/shared/errors"
import type { CreateOperatorTokenInput, OperatorToken } from "@/lib/shared/operator/tokens"

/** How many tokens can work at a time. */
const MAX_TOKENS = 100

// One account of each admin: the mail is sent to a member of an account.
const OPERATORS = `
  SELECT DISTINCT ON (u.id) u.id, m.account_id FROM app_user u JOIN member m ON m.user_id = u.id
  WHERE u.email = ANY ($1) AND u.erased_at IS NULL ORDER BY u.id, m.role = 'owner' DESC, m.created_at`

/** Queues a mail to every admin about a new token, so that a stolen session cannot create one unnoticed. */
async function queueMails(client: PoolClient, { OPERATOR_EMAILS }: Env, id: string): Promise<void> {
  const { rows } = await client.query<Row<"Member", "account_id"> & Row<"User", "id">>(OPERATORS, [
    [...OPERATOR_EMAILS],
  ])
  for (const { id: alsoTo, account_id: accountId } of rows)
    await queueMail(client, {
      accountId,
      kind: "operator_token_created",
      source: `operator_token:${id}:created`,
      facts: { operatorTokenId: publicId("opt", id) },
      alsoTo,
    })
}

/** Throws `forbidden` for a token, because it could outlive its own expiry, and for a right that the actor has not. */
function requireGrantable(actor: OperatorActor, rights: CreateOperatorTokenInput["rights"]): void {
  if (actor.token) throw new ServiceError("forbidden", { message: "A token cannot create a token." })
  const missing = rights.find((right) => !hasRight(actor, right))
  if (missing) throw new ServiceError("forbidden", { message: `You cannot give the scope ${missing} to a token.` })
}

/**
 * Creates a token with which a program operates the service, with some of the actor's rights, and mails the admins. The returned text
 * is the only copy of the secret. It ends with its creator's role. For the operator. Throws `rate_limited` at the limit on tokens, and
 * `forbidden` for a right that the actor has not.
 */
export async function createOperatorToken(
  { pool, env }: Runtime,
  actor: OperatorActor,
  { name, rights, expiresAt }: CreateOperatorTokenInput,
): Promise<CreatedAccountToken> {
  requireRight(actor, "service.operate")
  requireGrantable(actor, rights)
  const id = newId()
  const { token, sha256, masked } = newSecret("svca_")
  const publicOne = publicId("opt", id)
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM operator_token WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())",
    )
    if ((rowCount ?? 0) >= MAX_TOKENS)
      throw new ServiceError("rate_limited", {
        message: `The service can have ${MAX_TOKENS} tokens. Revoke one that is not used.`,
      })
    await client.query(
      `INSERT INTO operator_token (id, name, masked, secret_sha256, rights, expires_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, name, masked, sha256, rights, expiresAt, actor.userId],
    )
    await recordAudit(client, actor, { action: "operator_token.create", subject: publicOne, detail: rights.join(", ") })
    await queueMails(client, env, id)
  })
  return { id: publicOne, name, token }
}

/** Revokes a token: its next request is refused. For the operator. Throws `not_found` for an unknown one and for one that was revoked. */
export async function revokeOperatorToken(
  { pool }: Runtime,
  actor: OperatorActor,
  { id }: { id: string },
): Promise<{ id: string }> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE operator_token SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL",
      [parsePublicId("opt", id)],
    )
    if (!rowCount) throw new ServiceError("not_found", { message: "There is no such token." })
    await recordAudit(client, actor, { action: "operator_token.revoke", subject: id })
  })
  return { id }
}

type TokenRow = Row<
  "OperatorToken",
  "id" | "name" | "masked" | "rights" | "created_at" | "created_by" | "expires_at" | "last_used_at"
> &
  Nullable<Row<"User", "email">> & { operator_role: OperatorRole | null }

const LIST = `
  SELECT t.id, t.name, t.masked, t.rights, t.created_at, t.created_by, t.expires_at, t.last_used_at, u.email,
    (SELECT o.role FROM operator o WHERE o.email = u.email) AS operator_role
  FROM operator_token t LEFT JOIN app_user u ON u.id = t.created_by AND u.erased_at IS NULL
  WHERE t.revoked_at IS NULL ORDER BY t.id DESC`

type Authority = Pick<TokenRow, "rights" | "created_by" | "email" | "operator_role">

/** Returns the role of a token's creator now; null once it ended. A token of the command line has every right. */
function roleNow({ env }: Runtime, { created_by, email, operator_role }: Authority): OperatorRole | null {
  if (created_by === null) return "admin"
  if (email === null) return null
  return env.OPERATOR_EMAILS.has(email) ? "admin" : operator_role
}

/** Returns the role and the rights of a token now: those that it was created with and its creator still has. Null without any. */
export function authorityNow(runtime: Runtime, found: Authority): { role: OperatorRole; rights: Right[] } | null {
  const role = roleNow(runtime, found)
  const rights = role ? ALL_RIGHTS.filter((right) => found.rights.includes(right) && operatorHas(role, right)) : []
  return role && rights.length > 0 ? { role, rights } : null
}

function statusOf(runtime: Runtime, row: TokenRow): OperatorToken["status"] {
  if (!authorityNow(runtime, row)) return "ended"
  return row.expires_at !== null && row.expires_at <= new Date() ? "expired" : "active"
}

/** Returns the tokens that were not revoked, newest first, without their secrets. For the operator. */
export async function listOperatorTokens(runtime: Runtime, actor: OperatorActor): Promise<OperatorToken[]> {
  requireRight(actor, "service.operate")
  const { rows } = await runtime.pool.query<TokenRow>(LIST)
  return rows.map((row) => ({
    id: publicId("opt", row.id),
    name: row.name,
    masked: row.masked,
    rights: row.rights,
    createdAt: row.created_at.toISOString(),
    createdBy: row.email,
    expiresAt: row.expires_at?.toISOString() ?? null,
    status: statusOf(runtime, row),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}
