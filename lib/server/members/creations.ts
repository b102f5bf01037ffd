import type { Pool, PoolClient } from "pg"
import { revokeTokenIn } from "@/lib/server/accounts/account-tokens"
import { revokeKeyIn } from "@/lib/server/keys/revoke-key"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { hasRight, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { deleteEndpointIn } from "@/lib/server/webhooks/endpoints"
import type { Creation, MemberInput } from "@/lib/shared/accounts/members"
import { type Role, roleHas } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { requireStillOwner } from "./change-members"

const KINDS = {
  key: { prefix: "key", right: "keys.manage" },
  token: { prefix: "tok", right: "tokens.manage" },
  webhook: { prefix: "whe", right: "webhooks.manage" },
} as const

const WORKING = "account_id = $1 AND (expires_at IS NULL OR expires_at > now())"

const CREATIONS = `
  SELECT c.kind, c.id, c.name, c.masked, c.created_by, u.email, m.role
  FROM (SELECT 'key' AS kind, id, name, masked, created_by FROM api_key WHERE ${WORKING} AND revoked_at IS NULL
        UNION ALL SELECT 'token', id, name, masked, created_by FROM account_token WHERE ${WORKING}
        UNION ALL SELECT 'webhook', id, url, NULL, created_by FROM webhook_endpoint WHERE account_id = $1) AS c
  JOIN app_user u ON u.id = c.created_by LEFT JOIN member m ON m.account_id = $1 AND m.user_id = c.created_by
  ORDER BY u.email, c.kind, c.id DESC`

type CreationRow = Present<Row<"ApiKey", "id" | "name" | "created_by">> &
  Row<"ApiKey", "masked"> &
  Row<"User", "email"> & { kind: keyof typeof KINDS; role: Role | null }

async function readCreations(db: Pool | PoolClient, accountId: string): Promise<Creation[]> {
  const { rows } = await db.query<CreationRow>(CREATIONS, [accountId])
  return rows.map(({ kind, id, name, masked, created_by, email, role }) => ({
    kind,
    id: publicId(KINDS[kind].prefix, id),
    name,
    masked,
    createdBy: { id: publicId("usr", created_by), email, role },
    isLeft: role === null || !roleHas(role, KINDS[kind].right),
  }))
}

/**
 * Returns the keys, tokens and webhooks that work in the actor's account and name their creator, by creator. Without `members.manage`,
 * only those of the actor.
 */
export async function listCreations({ pool }: Runtime, actor: UserActor): Promise<Creation[]> {
  requireRight(actor, "account.read")
  const all = await readCreations(pool, actor.accountId)
  const own = publicId("usr", actor.userId)
  return hasRight(actor, "members.manage") ? all : all.filter(({ createdBy }) => createdBy.id === own)
}

/**
 * Ends everything that a person created in the actor's account and may no longer create there: revokes keys and tokens, and deletes
 * webhooks. All of it or nothing. Throws `not_found` when there is none, and `forbidden` unless the actor is still an owner.
 */
export async function endLeft({ pool, keys }: Runtime, actor: UserActor, { id }: MemberInput): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  const revoked = await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await requireStillOwner(client, actor)
    const left = (await readCreations(client, actor.accountId)).filter(
      ({ isLeft, createdBy }) => isLeft && createdBy.id === id,
    )
    if (left.length === 0) throw new ServiceError("not_found", { message: "Nothing of this person is left to end." })
    const keyIds: string[] = []
    // In one order, as `revokeKeys` locks keys.
    for (const creation of left.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      if (creation.kind === "key") keyIds.push(await revokeKeyIn(client, actor, creation.id))
      else if (creation.kind === "token") await revokeTokenIn(client, actor, creation.id)
      else await deleteEndpointIn(client, actor, creation.id)
    return keyIds
  })
  for (const keyId of revoked) keys.forget(keyId)
  return { id }
}
