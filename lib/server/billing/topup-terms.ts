import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type TopupBounds, topupCentsOf } from "@/lib/shared/billing/topup-bounds"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { PICO_PER_USD, type Pico, usd12 } from "@/lib/shared/money"

const PRESETS_USD = [10n, 25n, 50n, 100n]

/** Returns the smallest top-up in whole dollars that covers a required amount: a preset if possible, at most the maximum. */
export function smallestTopupUsd(env: Env, requiredPico: Pico, availablePico: Pico): bigint {
  // One pico-dollar more than is missing, because an available balance of zero admits no request.
  const missing = requiredPico - availablePico + 1n
  const needed = missing > env.TOPUP_MIN_USD ? missing : env.TOPUP_MIN_USD
  const wholeUsd = (needed + PICO_PER_USD - 1n) / PICO_PER_USD
  const max = env.TOPUP_MAX_USD / PICO_PER_USD
  const enough = PRESETS_USD.find((preset) => preset >= wholeUsd) ?? wholeUsd
  return enough < max ? enough : max
}

/** Returns the top-up page with enough credit for the request preselected; null while top-ups are off. */
export function topupUrl(env: Env, requiredPico: Pico, availablePico: Pico): string | null {
  if (!env.STRIPE_SECRET_KEY) return null
  return `${env.CONSOLE_URL}/billing/top-up?amount=${smallestTopupUsd(env, requiredPico, availablePico)}`
}

const boundsOf = ({ TOPUP_MIN_USD, TOPUP_MAX_USD }: Env): TopupBounds => ({
  minUsd: usd12(TOPUP_MIN_USD),
  maxUsd: usd12(TOPUP_MAX_USD),
})

/** Returns an amount of credit in cents. Throws `invalid_request` outside the operator's bounds. */
export function topupCents({ env }: Runtime, amountUsd: string): number {
  const { TOPUP_MIN_USD, TOPUP_MAX_USD } = env
  const cents = topupCentsOf(amountUsd, boundsOf(env))
  if (cents !== null) return cents
  const message = `Enter an amount from ${formatExactUsd(TOPUP_MIN_USD)} to ${formatExactUsd(TOPUP_MAX_USD)}.`
  throw new ServiceError("invalid_request", { param: "amountUsd", message })
}

export interface TopupTerms extends TopupBounds {
  /** False while the operator has not connected Stripe. */
  enabled: boolean
  /** The amounts to choose from, in dollars: at least one. Whole dollars, unless only the smallest amount is left. */
  presets: string[]
  /** Whether Stripe adds tax to the amount to pay. */
  taxed: boolean
  /** True for the test double of Stripe, which moves no real money. */
  isTestDouble: boolean
}

/** Returns the presets within the operator's bounds. If there are none, returns the smallest amount. */
function presetsOf({ TOPUP_MIN_USD: min, TOPUP_MAX_USD: max }: Env): string[] {
  const within = PRESETS_USD.filter((usd) => usd * PICO_PER_USD >= min && usd * PICO_PER_USD <= max)
  return within.length > 0 ? within.map(String) : [usd12(min).replace(/\.?0+$/, "")]
}

export function topupTerms({ env, payments }: Runtime): TopupTerms {
  return {
    enabled: payments !== null,
    ...boundsOf(env),
    presets: presetsOf(env),
    taxed: payments?.automaticTax ?? false,
    isTestDouble: payments !== null && env.STRIPE_API_BASE !== undefined,
  }
}
