import type { HoldRequest } from "./held-request"
import type { SpendRate } from "./spend-rate"

/** A request that drew its maximum cost from a grant. */
export interface Draw {
  request: HoldRequest
  costPico: bigint
  grant: Grant
  /** In ms of `performance.now()`. The request's hold is dated by it, whenever it is written. */
  drawnAt: number
  /** True from its first charge on: the database may have charged it. */
  isCharging: boolean
  /** True once the request failed: a charge of it that is still under way must not begin again. */
  isGivenUp: boolean
}

export interface Grant {
  id: string
  spender: Spender
  /** What no request has drawn. More than the database has reserved only if a crash of PostgreSQL lost credit, or the grant has ended. */
  freePico: bigint
  drawnPico: bigint
  /** What was free and drawn after it was last extended. */
  wholePico: bigint
  draws: Set<Draw>
  drawnAt: number
  isExtending: boolean
  /** Resolves when the grant has ended in the database, or when only its lease will end it. Null while requests may draw. */
  ending: Promise<void> | null
}

/** A key, the tags of some of its requests, and how much these spend. */
export interface Spender {
  accountId: string
  keyId: string
  modelId: string
  /** As the SQL functions get them; null for none. */
  tags: string | null
  rate: SpendRate
  grant: Grant | null
  isOpening: boolean
  /** Until when no credit is asked for: the last attempt got none. */
  pausedUntil: number
}

/** Returns how long ago a request drew, in whole ms. */
export const ageMs = ({ drawnAt }: Draw): number => Math.round(performance.now() - drawnAt)

export const newGrant = (id: string, spender: Spender): Grant => ({
  id,
  spender,
  freePico: 0n,
  drawnPico: 0n,
  wholePico: 0n,
  draws: new Set(),
  drawnAt: performance.now(),
  isExtending: false,
  ending: null,
})
