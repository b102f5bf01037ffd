import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type SetStayInput, STAY_DAYS, type Stay } from "@/lib/shared/models/stay"
import { dayOf } from "@/lib/shared/time"

type StayRow = { model: string; until: Date }

const toStay = (row: StayRow | undefined): Stay | null =>
  row ? { model: row.model, until: row.until.toISOString() } : null

const CURRENT = `
  SELECT model_id AS model, until_at AS until FROM alias_stay WHERE account_id = $1 AND alias_id = $2 AND until_at > now()`

/** Returns the model on which the alias stays for an account, by its UUID. Null without one. */
export async function findStay({ pool }: Pick<Runtime, "pool">, accountId: string): Promise<Stay | null> {
  return toStay((await pool.query<StayRow>(CURRENT, [accountId, ALIAS])).rows[0])
}

const OFFERED = `
  SELECT m.id AS model, moved.created_at + make_interval(days => $2) AS until
  FROM (SELECT from_id, created_at FROM alias_move WHERE alias_id = $1 ORDER BY id DESC LIMIT 1) AS moved
  JOIN model m ON m.id = moved.from_id AND m.status = 'active'
  WHERE moved.created_at + make_interval(days => $2) > now()`

// A move locks the model before the alias, and a row of a stay locks the alias first. Without this, a move back could deadlock with it.
const LOCK_OFFERED = `${OFFERED} FOR KEY SHARE OF m`

/** Returns the model before the latest move, and until when it is offered. Null when that time is over or the model is retired. */
async function findOffer(db: Runtime["pool"] | ClientBase, statement = OFFERED): Promise<Stay | null> {
  return toStay((await db.query<StayRow>(statement, [ALIAS, STAY_DAYS])).rows[0])
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
  INSERT INTO alias_stay (account_id, alias_id, model_id, until_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, alias_id) DO UPDATE SET model_id = excluded.model_id, until_at = excluded.until_at, created_at = now()
    WHERE alias_stay.until_at <= now()`
const FOLLOW =
  "DELETE FROM alias_stay WHERE account_id = $1 AND alias_id = $2 AND until_at > now() RETURNING model_id AS model"

/** Keeps the alias on its earlier model in the caller's transaction. A stay that has not ended remains as it is. */
async function stay(client: ClientBase, actor: UserActor): Promise<void> {
  const { rowCount: staying } = await client.query(CURRENT, [actor.accountId, ALIAS])
  if (staying) return
  const offer = await findOffer(client, LOCK_OFFERED)
  if (!offer)
    throw new ServiceError("invalid_request", {
      message: `The alias did not move in the last ${STAY_DAYS} days, or its earlier model is retired.`,
    })
  const { model, until } = offer
  const { rowCount } = await client.query(STAY, [actor.accountId, ALIAS, model, until])
  if (rowCount === 0) return
  await recordAudit(client, actor, {
    action: "account.keep_model",
    subject: model,
    detail: `until ${dayOf(new Date(until))}`,
  })
}

/**
 * Sets whether the alias answers the actor's account with the model before its latest move, until 30 days after that move. Takes effect
 * within two seconds. Needs `account.manage`. Throws `invalid_request` when no earlier model is offered.
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
