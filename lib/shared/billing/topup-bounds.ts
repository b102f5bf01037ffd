import { parseUsd, pico, toCents } from "@/lib/shared/money"

/** The smallest and the largest amount of one top-up, as exact USD texts. */
export interface TopupBounds {
  minUsd: string
  maxUsd: string
}

/** Returns an entered amount in cents. Null unless it is a number of whole cents within the bounds. */
export function topupCentsOf(text: string, { minUsd, maxUsd }: TopupBounds): number | null {
  const amount = parseUsd(text)
  if (amount === null || amount < (parseUsd(minUsd) ?? pico(0)) || amount > (parseUsd(maxUsd) ?? pico(0))) return null
  return toCents(amount)
}
