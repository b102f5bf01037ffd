import { type ShapeLimits, WIDEST } from "@/questions/limits"

export interface ModelChoice {
  id: string
  /** The model that answers: itself, or an alias's target. */
  pinnedId: string
  pricePerMillionUsd: string | null
  /** What to know before one relies on its answers. Null for a decision model. */
  caution: string | null
  isAvailable: boolean
  limits: ShapeLimits
}

/** A key that can pay for a run, and its spend limit. Money is exact USD text. */
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

/** Requests per second for the account and for each of its keys. Rows of Evaluate count apart. */
interface RateLimits {
  perAccount: number
  perKey: number
  /** Rows of Evaluate per second. */
  evaluate: number
}

/** What answers requests from the console and pays for them. */
export interface RunAccount {
  accountId: string
  /** The address of the user. */
  email: string
  /** The API's address, without a trailing slash. */
  baseUrl: string
  /** Exact USD text. */
  balanceUsd: string
  /** Whether the user's role may add credit. */
  mayPay: boolean
  rates: RateLimits
  models: ModelChoice[]
  keys: KeyChoice[]
  /** Starts the service with a real model. Null for users on other machines, and when the service has a real model. */
  realModelCommand?: string | null
}

/** Returns a model's limits, or the ceilings for an unknown model. */
export const limitsOf = (models: ModelChoice[], model: string): ShapeLimits =>
  models.find(({ id }) => id === model)?.limits ?? WIDEST
