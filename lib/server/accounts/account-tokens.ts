import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { newSecret } from "@/lib/server/keys/secret"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { type AccountActor, creatorOf, hasRight, requireConfirmed, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { requireStillAllowed } from "@/lib/server/platform/still-allowed"
import type { Role } from "@/lib/shared/accounts/roles"
import type {
  AccountToken,
  CreatedAccountToken,
  CreateTokenInput,
  RevokeTokenInput,
} from "@/lib/shared/accounts/schema"
import { LASTING_SCOPES, tokenRightsNow } from "@/lib/shared/accounts/token-scopes"
import { ServiceError } from "@/lib/shared/errors"

/** How many tokens an account can have at a time. */
const MAX_TOKENS = 20

/** Returns the account's tokens without their secrets, newest first. Needs `tokens.manage`. */
export async function listAccountTokens(runtime: Runtime, actor: AccountActor): Promise<AccountToken[]> {
  requireRight(actor, "tokens.read")
  const tokens = await prisma(runtime).accountToken.findMany({
    where: { accountId: actor.accountId },
    omit: { secretSha256: true },
    include: {
      creator: {
        select: { email: true, members: { where: { accountId: actor.accountId }, select: { role: true } } },
      },
    },
    orderBy: { id: "desc" },
  })
  const now = new Date()
  return tokens.map(({ id, name, masked, rights, createdAt, creator, expiresAt, lastUsedAt }) => ({
    id: publicId("tok", id),
    name,
    masked,
    rights: tokenRightsNow(rights, (creator?.members[0]?.role ?? null) as Role | null),
    createdAt: createdAt.toISOString(),
    createdBy: creator?.email ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    isExpired: expiresAt !== null && expiresAt <= now,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/**
 * Creates a token with some of the actor's rights, and mails the owners. The returned text is the only copy of the secret. Throws
 * `rate_limited` for the 21st token of an account, `forbidden` for a suspended or closed account, for a right that the actor has not,
 * and when the actor's role ended while this waited for the account's lock, and `confirmation_required`, which for the scope
 * `keys.manage` also names `manageKeysByToken`.
 */
export async function createAccountToken(
  { pool }: Runtime,
  actor: AccountActor,
  { name, expiresAt, rights = [...LASTING_SCOPES] }: CreateTokenInput,
): Promise<CreatedAccountToken> {
  requireRight(actor, "tokens.manage")
  requireConfirmed(actor, "createAccountToken")
  if (rights.includes("keys.manage")) requireConfirmed(actor, "manageKeysByToken")
  const missing = rights.find((right) => !hasRight(actor, right))
  if (missing) throw new ServiceError("forbidden", { message: `You cannot give the scope ${missing} to a token.` })
  const id = newId()
  const { token, sha256, masked } = newSecret("svct_")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await requireStillAllowed(client, actor)
    const { rowCount } = await client.query("SELECT FROM account_token WHERE account_id = $1", [actor.accountId])
    if ((rowCount ?? 0) >= MAX_TOKENS)
      throw new ServiceError("rate_limited", {
        message: `An account can have ${MAX_TOKENS} tokens. Revoke one that is not used.`,
      })
    await client.query(
      `INSERT INTO account_token (id, account_id, name, masked, secret_sha256, expires_at, created_by, rights)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, actor.accountId, name, masked, sha256, expiresAt, creatorOf(actor), rights],
    )
    const tokenId = publicId("tok", id)
    await recordAudit(client, actor, { action: "token.create", subject: tokenId, detail: rights.join(", ") })
    await queueMail(client, {
      accountId: actor.accountId,
      kind: "token_created",
      source: `token:${id}:created`,
      facts: { tokenId },
    })
  })
  return { id: publicId("tok", id), name, token }
}

/** Does what `revokeAccountToken` does, in the transaction of `client`. */
export async function revokeTokenIn(client: PoolClient, actor: AccountActor, id: string): Promise<void> {
  const { rowCount } = await client.query("DELETE FROM account_token WHERE id = $1 AND account_id = $2", [
    parsePublicId("tok", id),
    actor.accountId,
  ])
  if (!rowCount) throw new ServiceError("not_found", { message: "There is no such token." })
  await recordAudit(client, actor, { action: "token.revoke", subject: id })
}

/** Revokes a token of the actor's account: its next request is refused. Throws `not_found` for any other id. */
export async function revokeAccountToken(
  { pool }: Runtime,
  actor: AccountActor,
  { id }: RevokeTokenInput,
): Promise<{ id: string }> {
  requireRight(actor, "tokens.manage")
  await inTransaction(pool, (client) => revokeTokenIn(client, actor, id))
  return { id }
}
