import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

/**
 * Retires a pinned model, naming its successor or none. The alias's target is refused: the alias is never retired. The
 * model's row is locked first, as a move of the alias locks it, so that of the two the later one sees the earlier.
 */
export async function retireModel(id: string, replacementId: string | null): Promise<void> {
  await inTransaction(runtime().pool, async (client) => {
    const model = await client.query("SELECT 1 FROM model WHERE id = $1 AND kind = 'pinned' FOR UPDATE", [id])
    const { rows } = await client.query<{ is_target: boolean; replacement_ok: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM model WHERE target_id = $1) AS is_target,
         $2::text IS NULL OR EXISTS (SELECT 1 FROM model WHERE id = $2 AND status = 'active' AND id <> $1) AS replacement_ok`,
      [id, replacementId],
    )
    if (rows[0]?.is_target)
      throw new ServiceError("invalid_request", {
        param: "id",
        message: "The alias points at this model: move the alias first.",
      })
    if (!rows[0]?.replacement_ok)
      throw new ServiceError("invalid_request", {
        param: "replacement",
        message: "The replacement is not another active model.",
      })
    if (model.rowCount !== 1) throw new ServiceError("invalid_model")
    await client.query("UPDATE model SET status = 'retired', replacement_id = $2 WHERE id = $1", [id, replacementId])
  })
}
