import type { Pool, PoolClient } from "pg"
import { revokeTokenIn } from "@/lib/server/accounts/account-tokens"
import { endOldSecretIn } from "@/lib/server/keys/replace-key"
import { revokeKeyIn } from "@/lib/server/keys/revoke-key"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { hasRight, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { deleteEndpointIn, endOldSignatureIn } from "@/lib/server/webhooks/endpoints"
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
  SELECT c.*, u.email, m.role, m.owner_until >= c.at AS was_owner
  FROM (SELECT 'key' AS kind, id, name, masked, created_by AS by, created_at AS at, 'all' AS made
        FROM api_key WHERE ${WORKING} AND revoked_at IS NULL
        UNION ALL SELECT 'key', id, name, masked, replaced_by, replaced_at, 'secret'
          FROM api_key WHERE ${WORKING} AND revoked_at IS NULL AND replaced_by IS DISTINCT FROM created_by
        UNION ALL SELECT 'key', id, name, previous_masked, previous_by, previous_at, 'old_secret'
          FROM api_key WHERE ${WORKING} AND revoked_at IS NULL AND previous_until > ledger_now()
            AND previous_by IS DISTINCT FROM created_by AND previous_by IS DISTINCT FROM replaced_by
        UNION ALL SELECT 'token', id, name, masked, created_by, created_at, 'all' FROM account_token WHERE ${WORKING}
        UNION ALL SELECT 'webhook', id, url, NULL, created_by, created_at, 'all'
          FROM webhook_endpoint WHERE account_id = $1
        UNION ALL SELECT 'webhook', id, url, NULL, rotated_by, rotated_at, 'secret'
          FROM webhook_endpoint WHERE account_id = $1 AND rotated_by IS DISTINCT FROM created_by
        UNION ALL SELECT 'webhook', id, url, NULL, previous_by, previous_at, 'old_secret'
          FROM webhook_endpoint WHERE account_id = $1 AND previous_until > now()
            AND previous_by IS DISTINCT FROM created_by AND previous_by IS DISTINCT FROM rotated_by) AS c
  JOIN app_user u ON u.id = c.by LEFT JOIN member m ON m.account_id = $1 AND m.user_id = c.by
  ORDER BY u.email, c.kind, c.id DESC`

type CreationRow = Row<"ApiKey", "id" | "name" | "masked"> &
  Row<"User", "email"> & {
    kind: keyof typeof KINDS
    by: string
    made: Creation["made"]
    role: Role | null
    /** Whether the person was an owner at the time, and is a member. Null for one who was always an owner, or never. */
    was_owner: boolean | null
  }

const isLeft = ({ kind, role, was_owner }: CreationRow): boolean =>
  role === null || !roleHas(role, KINDS[kind].right) || (role !== "owner" && was_owner === true)

async function readCreations(db: Pool | PoolClient, accountId: string): Promise<Creation[]> {
  const { rows } = await db.query<CreationRow>(CREATIONS, [accountId])
  return rows.map((row) => ({
    kind: row.kind,
    id: publicId(KINDS[row.kind].prefix, row.id),
    name: row.name,
    masked: row.masked,
    createdBy: { id: publicId("usr", row.by), email: row.email, role: row.role },
    made: row.made,
    isLeft: isLeft(row),
  }))
}

/**
 * Returns the keys, tokens and webhooks that work in the actor's account, by the person who created them. A key or webhook is also
 * returned for the person who made its secret, or the one before that while it works. Without `members.manage`, only those of the actor.
 */
export async function listCreations({ pool }: Runtime, actor: UserActor): Promise<Creation[]> {
  requireRight(actor, "account.read")
  const all = await readCreations(pool, actor.accountId)
  const own = publicId("usr", actor.userId)
  return hasRight(actor, "members.manage") ? all : all.filter(({ createdBy }) => createdBy.id === own)
}

/**
 * Ends everything that `listCreations` names as left by a person in the actor's account: revokes keys and tokens, deletes webhooks, and
 * ends the old secret of a key or webhook alone. All of it or nothing. Throws `not_found` when there is none, and `forbidden` unless the actor is still an owner.
 */
export async function endLeft({ pool, keys }: Runtime, actor: UserActor, { id }: MemberInput): Promise<{ id: string }> {
  requireRight(actor, "members.manage")
  const changed = await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await requireStillOwner(client, actor)
    const left = (await readCreations(client, actor.accountId)).filter(
      ({ isLeft, createdBy }) => isLeft && createdBy.id === id,
    )
    if (left.length === 0) throw new ServiceError("not_found", { message: "Nothing of this person is left to end." })
    const keyIds: string[] = []
    // In one order, as `revokeKeys` locks keys, and tokens last: a program that changes a key locks its own token last.
    const place = (one: Creation) => `${Number(one.kind === "token")} ${one.id}`
    for (const creation of left.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)))
      if (creation.made === "old_secret" && creation.kind === "webhook")
        await endOldSignatureIn(client, actor, creation.id)
      else if (creation.made === "old_secret") keyIds.push(await endOldSecretIn(client, actor, creation.id))
      else if (creation.kind === "key") keyIds.push(await revokeKeyIn(client, actor, creation.id))
      else if (creation.kind === "token") await revokeTokenIn(client, actor, creation.id)
      else await deleteEndpointIn(client, actor, creation.id)
    return keyIds
  })
  for (const keyId of changed) keys.forget(keyId)
  return { id }
}
