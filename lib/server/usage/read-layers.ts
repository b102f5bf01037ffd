import { pico, usd12 } from "@/lib/shared/money"
import { START } from "./read-parts"
import type { Snapshot } from "./read-snapshot"
import type { UsageInput } from "./schema"
import { LIVE, spent } from "./spent"
import type { UsageLayer } from "./usage"

interface LayerRow {
  at: string
  /** A key's UUID, a pinned id, or null for all that are not among the five most expensive. */
  layer: string | null
  decisions: string
  tokens: string
  cost_pico: string
}

const MAX_LAYERS = 5
const NO_SUMS = { decisions: 0, tokens: 0, costUsd: usd12(pico(0)) }

const statement = (by: "key" | "model", isTagged: boolean) => `
WITH ${LIVE}, s AS MATERIALIZED (
  SELECT start, ${by}_id::text AS layer, sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost_pico) AS cost_pico
  FROM ${spent(by, isTagged)} s GROUP BY 1, 2
), ranked AS (
  SELECT layer, row_number() OVER (ORDER BY sum(cost_pico) DESC, sum(decisions) DESC, layer) AS rank FROM s GROUP BY layer
)
SELECT ${START} AS at, CASE WHEN rank <= ${MAX_LAYERS} THEN layer END AS layer,
  sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost_pico) AS cost_pico
FROM s JOIN ranked USING (layer) GROUP BY start, 2, least(rank, ${MAX_LAYERS + 1}) ORDER BY least(rank, ${MAX_LAYERS + 1}), start`

/**
 * Returns the figures of each key or model by hour or day, most expensive first. All after the fifth share one layer. `values` come
 * from `spentValues`.
 */
export async function readLayers(
  snapshot: Snapshot,
  values: unknown[],
  { by, tag }: Pick<UsageInput, "by" | "tag">,
  starts: string[],
  nameOf: (id: string) => string,
): Promise<UsageLayer[]> {
  if (!by) return []
  const rows = await snapshot.rows<LayerRow>(statement(by, tag !== undefined), values)
  const layers = new Map<string, UsageLayer>()
  const index = new Map(starts.map((at, place) => [at, place]))
  for (const { at, layer, decisions, tokens, cost_pico } of rows) {
    const known = layers.get(layer ?? "") ?? {
      name: layer === null ? `All other ${by}s` : nameOf(layer),
      points: starts.map(() => NO_SUMS),
    }
    const figures = { decisions: Number(decisions), tokens: Number(tokens), costUsd: usd12(pico(cost_pico)) }
    known.points[index.get(at) ?? -1] = figures
    layers.set(layer ?? "", known)
  }
  return [...layers.values()]
}
