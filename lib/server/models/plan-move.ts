import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { requireActive } from "./alias"
import { planStaysAhead } from "./alias-stays"

interface PlanMoveInput {
  toId: string
  /** The UTC day at whose start the alias moves, such as 2026-12-01. */
  on: string
  /** How many days before it is announced by mail. */
  noticeDays: number
}

const END =
  "UPDATE alias_announcement SET ended_at = now() WHERE alias_id = $1 AND notice_days IS NOT NULL AND ended_at IS NULL RETURNING to_id"

/** Ends the planned move of the alias in the caller's transaction. Returns its target; null when none is planned. */
async function endPlan(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<Row<"AliasAnnouncement", "to_id">>(END, [ALIAS])
  return rows[0]?.to_id ?? null
}

/**
 * Plans that the alias moves to another active model at the start of a UTC day, instead of an earlier plan, whose stays remain. A job
 * announces the move by mail and makes it. For the operator. Throws `invalid_model`, `model_retired`, and `invalid_request` for a day before tomorrow and for
 * the model at which the alias already points.
 */
export async function planMove(
  { pool }: Runtime,
  actor: Actor,
  { toId: to, on, noticeDays }: PlanMoveInput,
): Promise<void> {
  requireRight(actor, "service.operate")
  if (Date.parse(on) < Date.now())
    throw new ServiceError("invalid_request", { param: "on", message: "Choose a day from tomorrow on, in UTC." })
  await inTransaction(pool, async (client) => {
    await requireActive(client, to)
    const { rows } = await client.query<Row<"Model", "target_id">>(
      "SELECT target_id FROM model WHERE id = $1 FOR UPDATE",
      [ALIAS],
    )
    const from = rows[0]?.target_id
    if (!from || from === to)
      throw new ServiceError("invalid_request", { param: "toId", message: "The alias points at this model already." })
    await endPlan(client)
    await client.query(
      "INSERT INTO alias_announcement (alias_id, to_id, moves_on, notice_days) VALUES ($1, $2, $3, $4)",
      [ALIAS, to, on, noticeDays],
    )
    await planStaysAhead(client, on)
    await recordAudit(client, actor, { action: "model.plan", subject: to, detail: on })
  })
}

/**
 * Cancels the planned move of the alias, and drops the stays that were chosen for it. Mails that announced it are not recalled. For the
 * operator. Throws `not_found` without one.
 */
export async function cancelMove({ pool }: Runtime, actor: Actor): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    await client.query("SELECT FROM model WHERE id = $1 FOR UPDATE", [ALIAS])
    const to = await endPlan(client)
    if (to === null) throw new ServiceError("not_found", { message: "No move of the alias is planned." })
    await planStaysAhead(client, null)
    await recordAudit(client, actor, { action: "model.plan", subject: to, detail: "cancelled" })
  })
}

/** A move of the alias that is planned and has not happened. */
export interface PlannedMove {
  from: string
  to: string
  /** A UTC day such as 2026-12-01. */
  on: string
  /** The UTC day on which it is announced. */
  announcedOn: string
  isAnnounced: boolean
}

const NEXT = `
  SELECT a.to_id AS to, m.target_id AS from, to_char(a.moves_on, 'YYYY-MM-DD') AS on,
    to_char(a.moves_on - a.notice_days, 'YYYY-MM-DD') AS "announcedOn", a.announced_at IS NOT NULL AS "isAnnounced"
  FROM alias_announcement a JOIN model m ON m.id = a.alias_id
  WHERE a.alias_id = $1 AND a.notice_days IS NOT NULL AND a.ended_at IS NULL ORDER BY a.id DESC LIMIT 1`

/** Returns the planned move of the alias; null without one. */
export async function findPlannedMove({ pool }: Runtime): Promise<PlannedMove | null> {
  const { rows } = await pool.query<PlannedMove>(NEXT, [ALIAS])
  return rows[0] ?? null
}
