import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireActive } from "@/lib/server/models/alias"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Pico } from "@/lib/shared/money"
import { takenText } from "@/lib/shared/shadows/shadow-texts"

interface StartShadowInput {
  aliasId: string
  /** The candidate, an active pinned id. */
  toId: string
  /** From 0 to 1. */
  share: number
  /** The UTC day at whose start it ends, such as 2026-12-01; null for no end. */
  until: string | null
  /** What the candidate's answers may cost at its price; null for any amount. */
  budgetPico: Pico | null
}

const refuse = (param: string, message: string): never => {
  throw new ServiceError("invalid_request", { param, message })
}

/** Locks an alias and returns its target. Throws `invalid_model` for another id. */
async function lockAlias(client: PoolClient, aliasId: string): Promise<string> {
  const { rows } = await client.query<Row<"Model", "target_id">>(
    "SELECT target_id FROM model WHERE id = $1 AND kind = 'alias' FOR UPDATE",
    [aliasId],
  )
  const target = rows[0]?.target_id
  if (!target) throw new ServiceError("invalid_model")
  return target
}

const END = "UPDATE shadow SET ended_at = now() WHERE alias_id = $1 AND ended_at IS NULL RETURNING to_id"

/**
 * Has a candidate also asked what a share of the alias's answered requests asks, from within a second on every process. Ends an earlier
 * shadow of the alias. A move of the alias ends this one. For the operator. Throws `invalid_model`, `model_retired`, and
 * `invalid_request` for the alias's own target, a day that has begun, and a budget for a model without a price.
 */
export async function startShadow({ pool }: Runtime, actor: Actor, input: StartShadowInput): Promise<void> {
  requireRight(actor, "service.operate")
  const { aliasId, toId, share, until, budgetPico } = input
  if (until !== null && Date.parse(until) <= Date.now()) refuse("until", "Choose a day from tomorrow on, in UTC.")
  await inTransaction(pool, async (client) => {
    await requireActive(client, toId)
    const from = await lockAlias(client, aliasId)
    if (from === toId) refuse("toId", "The alias points at this model already.")
    const { rows } = await client.query<Row<"Model", "price_pico">>("SELECT price_pico FROM model WHERE id = $1", [
      toId,
    ])
    if (budgetPico !== null && Number(rows[0]?.price_pico ?? 0) === 0)
      refuse("budgetPico", "This model has no price, so a budget would never be used up. Set its price first.")
    await client.query(END, [aliasId])
    await client.query(
      "INSERT INTO shadow (id, alias_id, from_id, to_id, share, until_at, budget_pico) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [newId(), aliasId, from, toId, share, until, budgetPico],
    )
    const detail = `${takenText(share)} of ${aliasId}`
    await recordAudit(client, actor, { action: "model.shadow", subject: toId, detail })
  })
}

/** Ends the shadow of an alias. Its figures stay until they are dropped. For the operator. Throws `not_found` when none runs. */
export async function endShadow({ pool }: Runtime, actor: Actor, { aliasId }: { aliasId: string }): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"Shadow", "to_id">>(END, [aliasId])
    if (!rows[0]) throw new ServiceError("not_found", { message: "No shadow of this alias is running." })
    await recordAudit(client, actor, { action: "model.shadow", subject: rows[0].to_id, detail: `ended for ${aliasId}` })
  })
}
