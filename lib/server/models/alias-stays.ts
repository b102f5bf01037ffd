import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type SetStayInput, STAY_DAYS, type Stay } from "@/lib/shared/models/stay"
import { dayOf } from "@/lib/shared/time"

type StayRow = Row<"AliasStay", "is_ahead"> & { model: string; until: Date }

const toStay = ({ model, until, is_ahead: isAhead }: StayRow): Stay => ({ model, until: until.toISOString(), isAhead })

const CURRENT = `
  SELECT model_id AS model, until_at AS until, is_ahead FROM alias_stay WHERE account_id = $1 AND alias_id = $2 AND until_at > now()`

/** Returns the model on which the alias stays for an account, by its UUID. Null without one. */
export async function findStay({ pool }: Pick<Runtime, "pool">, accountId: string): Promise<Stay | null> {
  const { rows } = await pool.query<StayRow>(CURRENT, [accountId, ALIAS])
  return rows[0] ? toStay(rows[0]) : null
}

const OFFERED = `
  SELECT m.id AS model, moved.created_at + make_interval(days => $2) AS until, false AS is_ahead
  FROM (SELECT from_id, created_at FROM alias_move WHERE alias_id = $1 ORDER BY id DESC LIMIT 1) AS moved
  JOIN model m ON m.id = moved.from_id AND m.status = 'active'
  WHERE moved.created_at + make_interval(days => $2) > now()`

const OFFERED_AHEAD = `
  SELECT m.id AS model, (a.moves_on + $2::int)::timestamp AT TIME ZONE 'UTC' AS until, true AS is_ahead
  FROM alias_announcement a JOIN model alias ON alias.id = a.alias_id JOIN model m ON m.id = alias.target_id AND m.status = 'active'
  WHERE a.alias_id = $1 AND a.announced_at IS NOT NULL AND a.notice_days IS NOT NULL AND a.ended_at IS NULL ORDER BY a.id DESC LIMIT 1`

/**
 * Returns the model before the latest move, and until when it is offered. When that time is over or that model is retired, returns the
 * current model if a move from it is announced, else null.
 */
async function findOffer(db: Runtime["pool"] | ClientBase): Promise<Stay | null> {
  for (const statement of [OFFERED, OFFERED_AHEAD]) {
    const { rows } = await db.query<StayRow>(statement, [ALIAS, STAY_DAYS])
    if (rows[0]) return toStay(rows[0])
  }
  return null
}

/**
 * Returns the same once neither the model nor the alias can change in the caller's transaction. If the alias has moved back meanwhile, it
 * is still the model that was offered. Null when the announced move was cancelled meanwhile.
 */
async function lockOffer(client: ClientBase): Promise<Stay | null> {
  const first = await findOffer(client)
  if (!first) return null
  // In the order in which a move locks them. A move back could otherwise deadlock with the row of the stay, which locks the alias first.
  for (const id of [first.model, ALIAS]) await client.query("SELECT FROM model WHERE id = $1 FOR KEY SHARE", [id])
  const offer = await findOffer(client)
  if (offer?.model === first.model) return offer
  return first.isAhead ? null : first
}

/** Returns on which model the alias stays for the actor's account, and on which one it could. Needs `account.read`. */
export async function getStay(
  runtime: Runtime,
  actor: AccountActor,
): Promise<{ stay: Stay | null; offer: Stay | null }> {
  requireRight(actor, "account.read")
  const [stay, offer] = await Promise.all([findStay(runtime, actor.accountId), findOffer(runtime.pool)])
  return { stay, offer }
}

const STAY = `
  INSERT INTO alias_stay (account_id, alias_id, model_id, until_at, is_ahead) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account_id, alias_id) DO UPDATE SET model_id = excluded.model_id, until_at = excluded.until_at,
    is_ahead = excluded.is_ahead, created_at = now(), end_mailed_at = NULL
    WHERE alias_stay.until_at <= now()`
const FOLLOW =
  "DELETE FROM alias_stay WHERE account_id = $1 AND alias_id = $2 AND until_at > now() RETURNING model_id AS model"

/** Keeps the alias on the offered model in the caller's transaction. A stay that has not ended remains as it is. */
async function stay(client: ClientBase, actor: UserActor): Promise<void> {
  const { rowCount: staying } = await client.query(CURRENT, [actor.accountId, ALIAS])
  if (staying) return
  const offer = await lockOffer(client)
  if (!offer)
    throw new ServiceError("invalid_request", {
      message: `The alias did not move in the last ${STAY_DAYS} days and no move is announced, or its earlier model is retired.`,
    })
  const { model, until, isAhead } = offer
  const { rowCount } = await client.query(STAY, [actor.accountId, ALIAS, model, until, isAhead])
  if (rowCount === 0) return
  await recordAudit(client, actor, {
    action: "account.keep_model",
    subject: model,
    detail: `until ${dayOf(new Date(until))}`,
  })
}

/**
 * Sets whether the alias answers the actor's account with the model before its latest move, until 30 days after that move. Takes effect
 * within two seconds. Once a move is announced, the model before it can be kept in advance. Needs `account.manage`. Throws
 * `invalid_request` when no earlier model is offered.
 */
export async function setStay(
  { pool }: Runtime,
  actor: UserActor,
  { stays }: SetStayInput,
): Promise<{ stays: boolean }> {
  requireRight(actor, "account.manage")
  await inTransaction(pool, async (client) => {
    if (stays) return stay(client, actor)
    const { rows } = await client.query<{ model: string }>(FOLLOW, [actor.accountId, ALIAS])
    if (rows[0]) await recordAudit(client, actor, { action: "account.follow_alias", subject: rows[0].model })
  })
  return { stays }
}

/** Drops stays that have ended, and those of accounts that were being closed meanwhile. Any server may run it. */
export async function dropStays({ pool }: Pick<Runtime, "pool">): Promise<void> {
  await pool.query(
    "DELETE FROM alias_stay USING account a WHERE a.id = account_id AND (until_at <= now() OR a.status = 'closed')",
  )
}

const STAYING =
  "SELECT account_id, model_id AS model, until_at AS until, is_ahead FROM alias_stay WHERE alias_id = $1 AND until_at > now()"

/** Returns on which models the alias stays, by the UUID of the account. */
export async function readStays(client: ClientBase): Promise<Map<string, Stay>> {
  const { rows } = await client.query<StayRow & Row<"AliasStay", "account_id">>(STAYING, [ALIAS])
  return new Map(rows.map((row) => [row.account_id, toStay(row)]))
}

// The model is compared because a process of an earlier version may have moved the alias meanwhile.
const BEGIN_AHEAD = `
  UPDATE alias_stay SET is_ahead = false, until_at = moved.created_at + make_interval(days => $3)
  FROM (SELECT created_at FROM alias_move WHERE alias_id = $1 ORDER BY id DESC LIMIT 1) AS moved
  WHERE alias_id = $1 AND is_ahead AND model_id = $2`

/** Begins the stays that were chosen before a move of the alias from a model, in the move's transaction: they end 30 days after it. */
export async function beginStaysAhead(client: ClientBase, fromId: string): Promise<void> {
  await client.query(BEGIN_AHEAD, [ALIAS, fromId, STAY_DAYS])
}

/** Sets the end of stays that were chosen before a planned move when another day, such as 2026-12-01, is planned. Null drops them. */
export async function planStaysAhead(client: ClientBase, on: string | null): Promise<void> {
  if (on === null) await client.query("DELETE FROM alias_stay WHERE alias_id = $1 AND is_ahead", [ALIAS])
  else
    await client.query(
      "UPDATE alias_stay SET until_at = ($2::date + $3::int)::timestamp AT TIME ZONE 'UTC' WHERE alias_id = $1 AND is_ahead",
      [ALIAS, on, STAY_DAYS],
    )
}
