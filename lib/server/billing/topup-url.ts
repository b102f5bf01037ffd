import type { Env } from "@/lib/server/platform/env"
import type { Pico } from "@/lib/shared/money"

export const PICO_PER_USD = 1_000_000_000_000n

/** The amounts that are offered. */
export const PRESETS_USD = [10n, 25n, 50n, 100n]

/** Whole dollars that leave enough for what is required: a preset when one suffices, within the operator's bounds. */
export function enoughUsd(env: Env, requiredPico: Pico, availablePico: Pico): bigint {
  // One more than is short: an available balance of exactly zero is refused too.
  const short = requiredPico - availablePico + 1n
  const needed = short > env.TOPUP_MIN_USD ? short : env.TOPUP_MIN_USD
  const wholeUsd = (needed + PICO_PER_USD - 1n) / PICO_PER_USD
  const most = env.TOPUP_MAX_USD / PICO_PER_USD
  const enough = PRESETS_USD.find((preset) => preset >= wholeUsd) ?? wholeUsd
  return enough < most ? enough : most
}

/** Where a refused client adds credit, with enough preselected for its request; null while top-ups are off. */
export function topupUrl(env: Env, requiredPico: Pico, availablePico: Pico): string | null {
  if (!env.STRIPE_SECRET_KEY) return null
  return `${env.CONSOLE_URL}/billing/top-up?amount=${enoughUsd(env, requiredPico, availablePico)}`
}
