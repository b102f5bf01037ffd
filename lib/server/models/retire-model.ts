import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

interface RetireModelInput {
  id: string
  /** The successor that clients see, or null. */
  replacementId: string | null
}

/** What keeps a model from being retired. */
interface Facts {
  is_target: boolean
  is_planned: boolean
  /** An active cascade that asks the model. */
  cascade_id: string | null
  replacement_ok: boolean
}

/**
 * Retires a pinned model permanently, and ends a shadow that asks it. For the operator. `moveAlias` locks the same row first, so of two
 * concurrent calls the later one sees what the earlier one did. Throws `invalid_model`, and `invalid_request` for the alias's target and
 * that of its planned move, because the alias is never retired, for a part of an active cascade, and for a replacement that is not
 * another active model.
 */
export async function retireModel(
  { pool }: Runtime,
  actor: Actor,
  { id, replacementId }: RetireModelInput,
): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const model = await client.query("SELECT 1 FROM model WHERE id = $1 AND kind = 'pinned' FOR UPDATE", [id])
    const { rows } = await client.query<Facts>(
      `SELECT EXISTS (SELECT 1 FROM model WHERE target_id = $1) AS is_target,
         EXISTS (SELECT 1 FROM alias_announcement WHERE to_id = $1 AND notice_days IS NOT NULL AND ended_at IS NULL) AS is_planned,
         (SELECT min(id) FROM model WHERE $1 IN (small_id, big_id) AND status = 'active') AS cascade_id,
         $2::text IS NULL OR EXISTS (SELECT 1 FROM model WHERE id = $2 AND status = 'active' AND id <> $1) AS replacement_ok`,
      [id, replacementId],
    )
    if (rows[0]?.is_target)
      throw new ServiceError("invalid_request", {
        param: "id",
        message: "The alias points at this model. Move the alias first.",
      })
    if (rows[0]?.is_planned)
      throw new ServiceError("invalid_request", {
        param: "id",
        message: "A move of the alias to this model is planned. Cancel it first.",
      })
    const cascadeId = rows[0]?.cascade_id ?? null
    if (cascadeId !== null)
      throw new ServiceError("invalid_request", {
        param: "id",
        message: `The cascade ${cascadeId} asks this model. Retire the cascade first.`,
      })
    if (!rows[0]?.replacement_ok)
      throw new ServiceError("invalid_request", {
        param: "replacementId",
        message: "The replacement is not another active model.",
      })
    if (model.rowCount !== 1) throw new ServiceError("invalid_model")
    await client.query("UPDATE model SET status = 'retired', replacement_id = $2 WHERE id = $1", [id, replacementId])
    // Every request would count as a failure of the candidate.
    await client.query("UPDATE shadow SET ended_at = now() WHERE to_id = $1 AND ended_at IS NULL", [id])
    await recordAudit(client, actor, { action: "model.retire", subject: id, detail: replacementId })
  })
}
