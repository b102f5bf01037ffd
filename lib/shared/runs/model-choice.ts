import type { RecordedAnswers } from "@/lib/shared/request-form/recorded-answers"
import { type ShapeLimits, WIDEST } from "@/questions/limits"

export interface ModelChoice {
  id: string
  /** The model that answers the account: itself, or that of an alias. */
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

export interface ModelWay {
  /** Starts the service with a model. Null for users on other machines. */
  command: string | null
  /** Whether the user operates the service, and so may connect an engine. */
  isOperator: boolean
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
  /** How to get a model while keyword rules answer. Null when the service has a model. */
  modelWay?: ModelWay | null
  /** What examples show before they are run. The keyword scorer's answers unless given. */
  recorded?: RecordedAnswers
}

/** Returns a model's limits, or the ceilings for an unknown model. */
export const limitsOf = (models: ModelChoice[], model: string): ShapeLimits =>
  models.find(({ id }) => id === model)?.limits ?? WIDEST
