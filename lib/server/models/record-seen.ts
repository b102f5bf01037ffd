import type { Seen } from "@/lib/server/engines/monitor"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import { runtime } from "@/lib/server/platform/runtime"
import { firstPrice } from "./first-price"

/**
 * Fills in, once each, what a pinned model's engine was first seen to run: its build, the name it serves the model under
 * where the operator gave none, and how tokens are counted where nobody knew. Until then the model was not sold, so its
 * meaning does not change. What another probe finds later is refused by the probe, not recorded.
 */
export async function recordSeen(modelId: string, { build, served, tokenizer }: Seen): Promise<void> {
  const { rowCount } = await runtime().pool.query(
    `UPDATE model SET engine_build = coalesce(engine_build, $2), engine_model = coalesce(engine_model, $3),
       tokenizer = coalesce(tokenizer, $4), price_pico = coalesce(price_pico, $5)
     WHERE id = $1 AND engine = 'system-one' AND (engine_build IS NULL AND $2::text IS NOT NULL
       OR engine_model IS NULL AND $3::text IS NOT NULL OR tokenizer IS NULL AND $4::text IS NOT NULL)`,
    [modelId, build, served, tokenizer, tokenizer && firstPrice(modelId, tokenizer)],
  )
  if (rowCount === 1 && tokenizer === BYTE_RULE)
    runtime().log.warn("the engine counts no tokens: 4 bytes count as one", { model: modelId })
}
