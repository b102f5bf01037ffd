import "server-only"
import { displayUsd } from "../money"
import { runtime } from "../runtime"

export interface TopupTerms {
  /** False while the operator has connected no Stripe. */
  enabled: boolean
  /** Shown texts such as `$5.00`. */
  least: string
  most: string
  /** Whether Stripe adds tax to what is credited. */
  taxed: boolean
  /** Money at a stand-in for Stripe, on this machine alone. */
  pretend: boolean
}

/** What a top-up is here: whether there is one, its bounds, and what is paid beside the credit. */
export function topupTerms(): TopupTerms {
  const { env, payments } = runtime()
  return {
    enabled: payments !== null,
    least: displayUsd(env.TOPUP_MIN_USD),
    most: displayUsd(env.TOPUP_MAX_USD),
    taxed: payments?.automaticTax ?? false,
    pretend: payments !== null && env.STRIPE_API_BASE !== undefined,
  }
}
