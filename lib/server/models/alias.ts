import type { Pool, PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { type EventData, queueEvent } from "@/lib/server/events/queue-event"
import { queueMail, queueMailToAll } from "@/lib/server/mail/queue-mail"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { beginStaysAhead, readStays } from "./alias-stays"
import { accountsOfAlias } from "./alias-use"
import { addFirstNames } from "./model-names"

/** Locks a model. Throws `invalid_model` unless it is pinned, and `model_retired` unless it is active. */
export async function requireActive(client: PoolClient, id: string): Promise<void> {
  const { rows } = await client.query<Row<"Model", "status" | "kind">>(
    "SELECT status, kind FROM model WHERE id = $1 FOR UPDATE",
    [id],
  )
  if (rows[0]?.kind !== "pinned") throw new ServiceError("invalid_model")
  if (rows[0].status !== "active") throw new ServiceError("model_retired", { extra: { replacement_model: null } })
}

/**
 * Queues the webhook event for every account that wants it, and mails to the accounts that sent the alias in the last 30 days. The mail
 * to an account that keeps an earlier model says so.
 */
async function queueAlert(client: PoolClient, source: string, data: EventData["alias.moved"]): Promise<void> {
  await queueEvent(client, { accountId: null, type: "alias.moved", source, data })
  const stays = await readStays(client)
  const mail = { kind: "alias_moved" as const, source: `moved:${source}` }
  const accountIds = await accountsOfAlias(client)
  for (const accountId of accountIds) {
    const stay = stays.get(accountId)
    const own = { accountId, ...mail, source: `${mail.source}:${accountId}` }
    if (stay) await queueMail(client, { ...own, facts: { ...data, stay } })
  }
  const others = accountIds.filter((accountId) => !stays.has(accountId))
  await queueMailToAll(client, others, { ...mail, facts: data })
}

/**
 * Points the alias at an active model in the caller's transaction, adds the move to its history, ends a planned move and a shadow, and
 * begins the stays that were chosen ahead. `from` is null for the first.
 */
export async function pointAlias(client: PoolClient, toId: string): Promise<{ from: string | null }> {
  await requireActive(client, toId)
  const { rows } = await client.query<Row<"Model", "target_id">>(
    "SELECT target_id FROM model WHERE id = $1 FOR UPDATE",
    [ALIAS],
  )
  const from = rows[0]?.target_id ?? null
  if (from === toId) return { from }
  if (from === null)
    await client.query("INSERT INTO model (id, kind, target_id) VALUES ($1, 'alias', $2)", [ALIAS, toId])
  else await client.query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, toId])
  const { rows: moves } = await client.query<Row<"AliasMove", "id">>(
    "INSERT INTO alias_move (alias_id, from_id, to_id) VALUES ($1, $2, $3) RETURNING id",
    [ALIAS, from, toId],
  )
  await client.query(
    "UPDATE alias_announcement SET ended_at = now() WHERE alias_id = $1 AND notice_days IS NOT NULL AND ended_at IS NULL",
    [ALIAS],
  )
  // The answers were compared with those of the model before.
  await client.query("UPDATE shadow SET ended_at = now() WHERE alias_id = $1 AND ended_at IS NULL", [ALIAS])
  if (from !== null) {
    await beginStaysAhead(client, from)
    await queueAlert(client, `alias:${moves[0]?.id}`, { alias: ALIAS, from, to: toId })
  }
  return { from }
}

/**
 * Returns whether a start may point the alias at a model: not if it pointed at the model before, or at any model that ever answered,
 * because a start redirects no clients. An id whose engine was never probed with success has answered nobody. A cascade is never probed
 * itself.
 */
export async function mayPointFirst(db: Pool | PoolClient, toId: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM alias_move JOIN model ON model.id = to_id WHERE to_id = $1 OR engine = 'cascade' OR engine <> 'lexical' AND (
       engine_build IS NOT NULL OR pinned_facts IS NOT NULL
       OR EXISTS (SELECT FROM model_address WHERE model_id = model.id AND url = $2)) LIMIT 1`,
    [toId, OWN_ENGINE_URL],
  )
  return rows.length === 0
}

/** Points the alias at a model that a start added, where `mayPointFirst` allows it. */
export async function pointAliasFirst({ env }: Runtime, client: PoolClient, toId: string): Promise<void> {
  if (!(await mayPointFirst(client, toId))) return
  const { from } = await pointAlias(client, toId)
  if (from === null) await addFirstNames(client, env)
}

/** Points the alias at an active pinned model. For the operator. Throws `invalid_model` and `model_retired`. */
export async function moveAlias({ pool }: Runtime, actor: Actor, { toId }: { toId: string }): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { from } = await pointAlias(client, toId)
    await recordAudit(client, actor, { action: "model.alias", subject: toId, detail: from && `from ${from}` })
  })
}

export interface AliasMove {
  /** Null for the first move. */
  from: string | null
  to: string
  /** ISO text. */
  at: string
}

/** Returns every move of the alias, newest first. */
export async function listAliasMoves({ pool }: Runtime): Promise<AliasMove[]> {
  const { rows } = await pool.query<Row<"AliasMove", "from_id" | "to_id" | "created_at">>(
    "SELECT from_id, to_id, created_at FROM alias_move WHERE alias_id = $1 ORDER BY id DESC",
    [ALIAS],
  )
  return rows.map(({ from_id: from, to_id: to, created_at: at }) => ({ from, to, at: at.toISOString() }))
}
