import type { ShapeLimits } from "@/questions/limits"

/** A model as the playground offers it. */
export interface ModelChoice {
  id: string
  /** The pinned id that answers: its own, or an alias's target. */
  pinnedId: string
  pricePerMillionUsd: string | null
  /** The built-in keyword scorer, which is no model. */
  isBaseline: boolean
  /** False while its engine cannot be reached. */
  isAvailable: boolean
  limits: ShapeLimits
}

/** A key that a run may spend as, with the limit that then applies. Money is exact USD text. */
export interface KeyChoice {
  id: string
  name: string
  masked: string
  limitUsd: string | null
  period: "daily" | "lifetime" | null
  /** In the current period. */
  spentUsd: string
  resetsAt: string | null
}

/** Requests per second: an account's, and each of its keys'. */
export interface RateLimits {
  perAccount: number
  perKey: number
}
