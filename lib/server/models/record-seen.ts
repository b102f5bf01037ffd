import type { ProbeFindings } from "@/lib/server/engines/monitor"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type Pico, parsePricePerMillion, pico } from "@/lib/shared/money"

const DECIDER_PRICE_USD = "0.020000"

/** Returns the price of the model of `ENGINE_URL` until the operator sets one: 0 if its tokens are counted by bytes. */
export const firstPrice = (tokenizer: string): Pico =>
  (tokenizer !== BYTE_RULE && parsePricePerMillion(DECIDER_PRICE_USD)) || pico(0)

/**
 * Stores what a probe of a pinned model found: build, weights, the name under which the engine serves it, and how tokens are
 * counted. Each value is set only once, so the meaning of an id does not change. Stores nothing when the model was moved away from
 * the probed address meanwhile. What is pinned first of a model that this service runs itself keeps the source of the file that was
 * probed: another server may have started with another file meanwhile. The row is the record: no audit entry.
 */
export async function recordSeen(
  { pool, log, ownEngines }: Runtime,
  modelId: string,
  { build, facts, served, tokenizer }: ProbeFindings,
  url: string,
): Promise<void> {
  const own = url === OWN_ENGINE_URL ? ownEngines.find(modelId) : null
  const { rowCount } = await pool.query(
    `UPDATE model SET engine_build = coalesce(engine_build, $2), engine_model = coalesce(engine_model, $3),
       tokenizer = coalesce(tokenizer, $4), price_pico = coalesce(price_pico, $5),
       source = CASE WHEN $9 AND engine_build IS NULL AND pinned_facts IS NULL THEN $10 ELSE source END,
       pinned_facts = nullif(coalesce($6::jsonb, '{}') || coalesce(pinned_facts, '{}'), '{}')
     WHERE id = $1 AND engine <> 'lexical' AND (engine_build IS NULL AND $2::text IS NOT NULL
       OR engine_model IS NULL AND $3::text IS NOT NULL OR tokenizer IS NULL AND $4::text IS NOT NULL
       OR NOT coalesce(pinned_facts, '{}') ?& $7::text[])
       AND EXISTS (SELECT FROM model_address WHERE model_id = id AND url = $8)`,
    [
      modelId,
      build,
      served,
      tokenizer,
      tokenizer && firstPrice(tokenizer),
      facts && JSON.stringify(facts),
      Object.keys(facts ?? {}),
      url,
      own !== null,
      own?.source ?? null,
    ],
  )
  if (rowCount === 1 && tokenizer === BYTE_RULE)
    log.warn("The engine does not count tokens. Every 4 bytes count as one token", {
      event: "model.counted_by_bytes",
      model: modelId,
    })
}
