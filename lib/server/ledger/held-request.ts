import type { Payer } from "@/lib/server/platform/actor"
import type { Pico } from "@/lib/shared/money"

export interface HoldRequest {
  /** The request's own UUID. Placing the same id again changes nothing. */
  id: string
  actor: Payer
  modelId: string
  pricePico: Pico
  maxTokens: number
  /** True if `maxTokens` is only an upper bound, which is not held near a limit. */
  isBound?: boolean
  /** A request with an `Idempotency-Key` always has a hold of its own. */
  isKeyed?: boolean
  /** The tags of the request and of its key, in the order of their names. Their charge keeps them. */
  tags?: readonly string[]
}

/** Returns the tags as the SQL functions get them; null for none. */
export const tagsText = ({ tags = [] }: HoldRequest): string | null => tags.join() || null

/** What a ledger entry records of a request besides its cost. Contains nothing that the request or its answer says. */
export interface ChargeFacts {
  tokens: number
  latencyMs: number
  /** How many questions of each type were answered, such as `{ noul: 2 }`. */
  questionCounts: Record<string, number>
}

/** A hold, and the account whose row its end locks. */
export interface HoldRef {
  id: string
  accountId: string
}

/**
 * The state of a hold after a call. Nothing changed for 'exceeds' (more tokens than were reserved), 'charged_before' (its
 * idempotency key was charged for another hold) and 'unknown'.
 */
export type Resolution = "captured" | "voided" | "expired" | "held" | "exceeds" | "charged_before" | "unknown"

/** 'near': a request with a bound needs a hold for its exact tokens, because a limit or the end of the balance is near. */
export type HoldOutcome =
  | { outcome: "held" | "near" }
  | { outcome: "revoked" | "expired_key" }
  | { outcome: "key_limit"; limitPico: Pico; resetsAt: Date | null }
  | { outcome: "insufficient"; requiredPico: Pico; availablePico: Pico }
