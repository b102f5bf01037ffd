import "server-only"
import type { Seen } from "../engines/monitor"
import { runtime } from "../runtime"

/**
 * Fills in, once each, what a pinned model's engine was first seen to run: its build, and the name it serves the model
 * under where the operator gave none. What another probe finds later is refused by the probe, not recorded.
 */
export async function recordSeen(modelId: string, { build, served }: Seen): Promise<void> {
  await runtime().pool.query(
    `UPDATE model SET engine_build = coalesce(engine_build, $2), engine_model = coalesce(engine_model, $3)
     WHERE id = $1 AND engine = 'system-one' AND (engine_build IS NULL AND $2::text IS NOT NULL OR engine_model IS NULL)`,
    [modelId, build, served],
  )
}
