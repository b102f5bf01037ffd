import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueEvent } from "@/lib/server/events/queue-event"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { type AccountActor, creatorOf, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { KEY_TEXT_COLUMNS, KEY_TEXT_NAMES } from "@/lib/shared/keys/key-texts"
import type { CreatedKey, CreateKeyInput } from "@/lib/shared/keys/schema"
import { parseUsd } from "@/lib/shared/money"
import { requireConfirmedLimit } from "./high-limit"
import { requireWithinRules } from "./key-rules"
import { requireModels } from "./restrictions"
import { newSecret } from "./secret"

/** Keys and audit rows are never deleted, so their growth is limited. */
const MAX_PER_HOUR = 100

/** Throws `rate_limited` at the hourly limit. Needs the account's row lock, so that concurrent creations count sequentially. */
async function checkHourlyLimit(client: PoolClient, accountId: string): Promise<void> {
  const { rows } = await client.query<{ created: number }>(
    `SELECT count(*)::int AS created FROM api_key
     WHERE account_id = $1 AND kind = 'secret' AND created_at > now() - interval '1 hour'`,
    [accountId],
  )
  if ((rows[0]?.created ?? 0) >= MAX_PER_HOUR)
    throw new ServiceError("rate_limited", { message: `An account can create at most ${MAX_PER_HOUR} keys an hour.` })
}

async function announce(client: PoolClient, accountId: string, id: string): Promise<void> {
  const [keyId, source] = [publicId("key", id), `key:${id}:created`]
  await queueMail(client, { accountId, kind: "key_created", source, facts: { keyId } })
  const data = { account_id: publicId("acc", accountId), key_id: keyId }
  await queueEvent(client, { accountId, type: "key.created", source, data })
}

/**
 * Creates a key for the actor's account. The returned token is the only copy of the secret. Throws `rate_limited` for a user or an account token when
 * 100 keys of the account were created in the last hour. Throws `forbidden` for a suspended or closed account, and
 * `confirmation_required` for a key without a limit, or with one above the larger of the balance and $50. Throws `invalid_request` for
 * a limit that the account's rules do not allow.
 */
export async function createKey(
  runtime: Runtime,
  actor: AccountActor,
  { name, limit, expiresAt, models = [], routes = [], networks = [], tags = [], ...texts }: CreateKeyInput,
): Promise<CreatedKey> {
  requireRight(actor, "keys.manage")
  requireModels(runtime, models)
  const id = newId()
  const limitPico = limit && parseUsd(limit.amountUsd)
  const { token, sha256, masked } = newSecret("svcd_")
  await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await requireWithinRules(client, actor.accountId, limitPico)
    await requireConfirmedLimit(client, actor, "createKey", limitPico)
    if (actor.type === "user" || actor.type === "token") await checkHourlyLimit(client, actor.accountId)
    await client.query(
      `INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256, limit_pico, limit_period, expires_at, created_by, models, routes, networks, tags, ${KEY_TEXT_COLUMNS.join()})
       VALUES ($1, $2, 'secret', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, ${KEY_TEXT_COLUMNS.map((_, at) => `$${at + 14}`).join()})`,
      [
        id,
        actor.accountId,
        name,
        masked,
        sha256,
        limitPico,
        limit?.period ?? null,
        expiresAt,
        creatorOf(actor),
        models,
        routes,
        networks,
        tags,
        ...KEY_TEXT_NAMES.map((text) => texts[text] || null),
      ],
    )
    const keyId = publicId("key", id)
    await recordAudit(client, actor, { action: "key.create", subject: keyId })
    await announce(client, actor.accountId, id)
  })
  return { id: publicId("key", id), name, token, masked }
}
