import type { Env } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { PICO_PER_USD, PRESETS_USD } from "./topup-url"

export interface TopupTerms {
  /** False while the operator has connected no Stripe. */
  enabled: boolean
  /** Shown texts such as `$5.00`. */
  least: string
  most: string
  /** Whole dollars within those bounds to choose from; at least one. */
  presets: string[]
  /** Whether Stripe adds tax to what is credited. */
  taxed: boolean
  /** Money at a stand-in for Stripe, on this machine alone. */
  pretend: boolean
}

/** Those within the operator's bounds; where none is, the least whole amount. */
function presetsOf({ TOPUP_MIN_USD: least, TOPUP_MAX_USD: most }: Env): string[] {
  const within = PRESETS_USD.filter((usd) => usd * PICO_PER_USD >= least && usd * PICO_PER_USD <= most)
  return within.length > 0 ? within.map(String) : [usd12(least).replace(/\.?0+$/, "")]
}

/** What a top-up is here: whether there is one, its bounds, and what is paid beside the credit. */
export function topupTerms(): TopupTerms {
  const { env, payments } = runtime()
  return {
    enabled: payments !== null,
    least: formatExactUsd(env.TOPUP_MIN_USD),
    most: formatExactUsd(env.TOPUP_MAX_USD),
    presets: presetsOf(env),
    taxed: payments?.automaticTax ?? false,
    pretend: payments !== null && env.STRIPE_API_BASE !== undefined,
  }
}
