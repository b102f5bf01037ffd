import "server-only"
import type { Actor } from "../decisions/actor"
import { type Pico, pico } from "../money"
import { runtime } from "../runtime"

export interface HoldRequest {
  /** The request's own UUID: asking again with it changes nothing. */
  id: string
  actor: Actor
  modelId: string
  pricePico: Pico
  /** The most tokens that may be captured. */
  maxTokens: number
}

export type HoldOutcome =
  | { outcome: "held" }
  | { outcome: "revoked" | "expired_key" }
  | { outcome: "key_limit"; limitPico: Pico; resetsAt: Date | null }
  | { outcome: "insufficient"; requiredPico: Pico; availablePico: Pico }

interface HoldRow {
  outcome: HoldOutcome["outcome"]
  required_pico: string
  available_pico: string | null
  limit_pico: string | null
  resets_at: Date | null
}

/**
 * Sets aside price × most tokens against the key's limit, then the balance, in one round trip (spec.md, steps 6 and 7).
 * Never blocks on a model call: the hold lives 150 s on its own.
 */
export async function placeHold({ id, actor, modelId, pricePico, maxTokens }: HoldRequest): Promise<HoldOutcome> {
  const { rows } = await runtime().pool.query<HoldRow>({
    name: "place-hold",
    text: "SELECT * FROM place_hold($1, $2, $3, $4, $5, $6)",
    values: [id, actor.accountId, actor.keyId, modelId, pricePico, maxTokens],
  })
  const row = rows[0]
  if (!row) throw new Error("place_hold answers one row")
  if (row.outcome === "key_limit")
    return { outcome: row.outcome, limitPico: pico(row.limit_pico ?? 0), resetsAt: row.resets_at }
  if (row.outcome === "insufficient")
    return { outcome: row.outcome, requiredPico: pico(row.required_pico), availablePico: pico(row.available_pico ?? 0) }
  return { outcome: row.outcome }
}
