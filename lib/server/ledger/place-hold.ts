import type { Payer } from "@/lib/server/platform/payer"
import { runtime } from "@/lib/server/platform/runtime"
import { type Pico, pico } from "@/lib/shared/money"
import { Coalescer } from "./coalescer"

export interface HoldRequest {
  /** The request's own UUID: asking again with it changes nothing. */
  id: string
  actor: Payer
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

function outcomeOf(row: HoldRow | undefined): HoldOutcome {
  if (!row) throw new Error("place_hold answers one row")
  if (row.outcome === "key_limit")
    return { outcome: row.outcome, limitPico: pico(row.limit_pico ?? 0), resetsAt: row.resets_at }
  if (row.outcome === "insufficient")
    return { outcome: row.outcome, requiredPico: pico(row.required_pico), availablePico: pico(row.available_pico ?? 0) }
  return { outcome: row.outcome }
}

async function placeOne({ id, actor, modelId, pricePico, maxTokens }: HoldRequest): Promise<HoldOutcome> {
  const { rows } = await runtime().pool.query<HoldRow>({
    name: "place-hold",
    text: "SELECT * FROM place_hold($1, $2, $3, $4, $5, $6)",
    values: [id, actor.accountId, actor.keyId, modelId, pricePico, maxTokens],
  })
  return outcomeOf(rows[0])
}

async function placeMany(requests: HoldRequest[]): Promise<HoldOutcome[]> {
  const { rows } = await runtime().pool.query<HoldRow>({
    name: "place-holds",
    text: "SELECT * FROM place_holds($1, $2, $3, $4, $5, $6)",
    values: [
      requests.map(({ id }) => id),
      requests.map(({ actor }) => actor.accountId),
      requests.map(({ actor }) => actor.keyId),
      requests.map(({ modelId }) => modelId),
      requests.map(({ pricePico }) => pricePico),
      requests.map(({ maxTokens }) => maxTokens),
    ],
  })
  return rows.map(outcomeOf)
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    holds: Coalescer<HoldRequest, HoldOutcome>
  }
}

/** The holds of one process on their way to the database. */
export const createHoldCalls = () => new Coalescer({ one: placeOne, many: placeMany })

/**
 * Sets aside price × most tokens against the key's limit, then the balance, in one round trip (spec.md, steps 6 and 7), which
 * requests that come together share. Never blocks on a model call: the hold lives 150 s on its own.
 */
export const placeHold = (request: HoldRequest): Promise<HoldOutcome> => runtime().holds.ask(request)
