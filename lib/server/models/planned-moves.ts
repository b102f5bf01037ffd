import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import type { TypeChanges } from "@/lib/server/mail/model-notices"
import { queueMail, queueMailToAll } from "@/lib/server/mail/queue-mail"
import { SYSTEM } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { QuestionTypeName } from "@/questions/question-types"
import { pointAlias } from "./alias"
import { readStays } from "./alias-stays"
import { accountsOfAlias } from "./alias-use"

const CHANGES = `
  SELECT q.account_id, q.type, sum(q.compared)::float8 AS pairs, sum(q.changed)::float8 AS changes FROM shadow_question q
  WHERE q.shadow_id = (SELECT id FROM shadow WHERE alias_id = $1 AND from_id = $2 AND to_id = $3 ORDER BY started_at DESC LIMIT 1)
  GROUP BY q.account_id, q.type ORDER BY q.account_id, q.type`

type ChangesRow = Row<"ShadowQuestion", "account_id"> & { type: QuestionTypeName; pairs: number; changes: number }

/** Returns what the latest shadow of this move found out, by account. */
async function readChanges(client: PoolClient, from: string, to: string): Promise<Map<string, TypeChanges[]>> {
  const { rows } = await client.query<ChangesRow>(CHANGES, [ALIAS, from, to])
  const byAccount = new Map<string, TypeChanges[]>()
  for (const { account_id, type, pairs: compared, changes: changed } of rows)
    byAccount.set(account_id, [...(byAccount.get(account_id) ?? []), { type, compared, changed }])
  return byAccount
}

const DUE = `
  SELECT a.id, a.to_id, to_char(a.moves_on, 'YYYY-MM-DD') AS "moveDay", m.target_id
  FROM alias_announcement a JOIN model m ON m.id = a.alias_id
  WHERE a.alias_id = $1 AND a.notice_days IS NOT NULL AND a.ended_at IS NULL`
const TO_ANNOUNCE = `${DUE} AND a.announced_at IS NULL AND $2 >= (a.moves_on - a.notice_days)::timestamp AT TIME ZONE 'UTC'`
const TO_MAKE = `${DUE} AND $2 >= a.moves_on::timestamp AT TIME ZONE 'UTC'`

type DueRow = Row<"AliasAnnouncement", "id" | "to_id"> & Row<"Model", "target_id"> & { moveDay: string }

/** Without the key, so that holds and charges of requests to the models do not wait while the mails are queued. */
const LOCK = "SELECT FROM model WHERE id = $1 FOR NO KEY UPDATE"

/** Locks the models in the order of `pointAlias`, so that each move is announced and made once, and returns the due one. */
async function findDue(client: PoolClient, sql: string, now: Date): Promise<DueRow | null> {
  const find = async () => (await client.query<DueRow>(sql, [ALIAS, now])).rows[0]
  const due = await find()
  if (!due) return null
  for (const id of [due.to_id, ALIAS]) await client.query(LOCK, [id])
  // Another process may have done it, or the plan may be another one now.
  const still = await find()
  return still?.id === due.id ? still : null
}

/**
 * Mails the accounts that sent the alias in the last 30 days that it will move, once. Where a shadow compared an
 * account's answers, its mail says how many would change. The mail to an account that keeps a model says so. Any server may run it.
 */
async function announceDueMove({ pool }: Runtime, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const due = await findDue(client, TO_ANNOUNCE, now)
    if (!due) return
    const { id, to_id: to, moveDay: on, target_id: from } = due
    if (!from) return
    const accountIds = await accountsOfAlias(client)
    const changes = await readChanges(client, from, to)
    const stays = await readStays(client)
    const facts = { alias: ALIAS, from, to, on }
    const mail = { kind: "alias_moving" as const, source: `alias:${id}` }
    const hasOwn = (accountId: string) => changes.has(accountId) || stays.has(accountId)
    for (const accountId of accountIds.filter(hasOwn)) {
      const own = { changes: changes.get(accountId), stay: stays.get(accountId) }
      const source = `${mail.source}:${accountId}`
      await queueMail(client, { accountId, ...mail, source, facts: { ...facts, ...own } })
    }
    const others = accountIds.filter((accountId) => !hasOwn(accountId))
    await queueMailToAll(client, others, { ...mail, facts })
    await client.query("UPDATE alias_announcement SET announced_at = now() WHERE id = $1", [id])
  })
}

/** Moves the alias on the day of its planned move, once. Throws while the model cannot answer: the next run tries again. */
async function makeDueMove({ pool, engines }: Runtime, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const due = await findDue(client, TO_MAKE, now)
    if (!due) return
    const { available, reason } = engines.availability(due.to_id)
    if (!available) throw new Error(`the planned move of the alias waits, because the model is unavailable: ${reason}`)
    const { from } = await pointAlias(client, due.to_id)
    await recordAudit(client, SYSTEM, {
      action: "model.alias",
      subject: due.to_id,
      detail: from && `from ${from}, as planned`,
    })
  })
}

// A process of an earlier version moves the alias and leaves the plan, which would take the alias from its new target.
const END_OVERTAKEN = `
  UPDATE alias_announcement a SET ended_at = now() WHERE alias_id = $1 AND notice_days IS NOT NULL AND ended_at IS NULL
    AND EXISTS (SELECT FROM alias_move m WHERE m.alias_id = a.alias_id AND m.created_at > a.created_at)`

// Such a process does not begin the stays that were chosen ahead. Their end remains that of the plan.
const BEGIN_OVERTAKEN = `
  UPDATE alias_stay s SET is_ahead = false FROM model m
  WHERE s.alias_id = $1 AND m.id = s.alias_id AND s.is_ahead AND s.model_id <> m.target_id`

/** Announces and makes the planned move of the alias when it is time. Any server may run it. */
export async function runPlannedMove(runtime: Runtime, now = new Date()): Promise<void> {
  for (const statement of [END_OVERTAKEN, BEGIN_OVERTAKEN]) await runtime.pool.query(statement, [ALIAS])
  await announceDueMove(runtime, now)
  await makeDueMove(runtime, now)
}
