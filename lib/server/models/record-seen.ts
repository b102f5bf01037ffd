import type { ProbeFindings } from "@/lib/server/engines/monitor"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import type { Runtime } from "@/lib/server/platform/runtime"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { type Pico, parsePricePerMillion, pico } from "@/lib/shared/money"

const DECIDER_PRICE_USD = "0.020000"

/**
 * Returns the price of a model that the operator has not priced: 0, except for the first decider if its tokens are not counted by
 * bytes.
 */
export const firstPrice = (id: string, tokenizer: string): Pico =>
  (id === FIRST_DECIDER && tokenizer !== BYTE_RULE && parsePricePerMillion(DECIDER_PRICE_USD)) || pico(0)

/**
 * Stores what a probe of a pinned model found: build, weights, the name under which the engine serves it, and how tokens are
 * counted. Each value is set only once, so the meaning of an id does not change. The row is the record: no audit entry.
 */
export async function recordSeen(
  { pool, log }: Runtime,
  modelId: string,
  { build, facts, served, tokenizer }: ProbeFindings,
): Promise<void> {
  const { rowCount } = await pool.query(
    `UPDATE model SET engine_build = coalesce(engine_build, $2), engine_model = coalesce(engine_model, $3),
       tokenizer = coalesce(tokenizer, $4), price_pico = coalesce(price_pico, $5),
       pinned_facts = nullif(coalesce($6::jsonb, '{}') || coalesce(pinned_facts, '{}'), '{}')
     WHERE id = $1 AND engine <> 'lexical' AND (engine_build IS NULL AND $2::text IS NOT NULL
       OR engine_model IS NULL AND $3::text IS NOT NULL OR tokenizer IS NULL AND $4::text IS NOT NULL
       OR NOT coalesce(pinned_facts, '{}') ?& $7::text[])`,
    [
      modelId,
      build,
      served,
      tokenizer,
      tokenizer && firstPrice(modelId, tokenizer),
      facts && JSON.stringify(facts),
      Object.keys(facts ?? {}),
    ],
  )
  if (rowCount === 1 && tokenizer === BYTE_RULE)
    log.warn("The engine does not count tokens. Every 4 bytes count as one token", {
      event: "model.counted_by_bytes",
      model: modelId,
    })
}
