/**
 * Money is integer pico-USD (10⁻¹² USD) in a `bigint`. A price of P micro-USD per million tokens is P pico-USD per token, so T
 * tokens cost exactly P·T. Amounts are rounded only for display.
 */
declare const brand: unique symbol
export type Pico = bigint & { readonly [brand]: "pico-USD" }

export const PICO_PER_USD = 1_000_000_000_000n
export const PICO_PER_CENT = 10_000_000_000n
const PICO_PER_MICRO = 1_000_000n
const MAX_PICO = 9_000_000_000_000_000_000n

/** Returns an integer as an amount in pico-USD. The database returns amounts as bigint or as decimal text. */
export const pico = (value: bigint | string | number): Pico => BigInt(value) as Pico

/** Converts USD cents, the unit of Stripe, to pico-USD. */
export const fromCents = (cents: number): Pico => (BigInt(cents) * PICO_PER_CENT) as Pico

/** Formats USD cents as exact USD text with twelve decimals. */
export const usdOfCents = (cents: number): string => usd12(fromCents(cents))

/** Converts pico-USD to USD cents; null when the amount is not a whole number of cents. */
export const toCents = (amount: Pico): number | null =>
  amount % PICO_PER_CENT === 0n ? Number(amount / PICO_PER_CENT) : null

/** `nearest` rounds a half away from zero. `down` rounds to the lower amount, also below zero. */
export type Rounding = "nearest" | "down"

/** Rounds an amount to a number of decimals of a dollar, from 0 to 12. */
export function roundUsd(amount: Pico, decimals: number, rounding: Rounding): Pico {
  const unit = 10n ** BigInt(12 - decimals)
  const above = ((amount % unit) + unit) % unit
  const lower = amount - above
  const isUp = rounding === "nearest" && (amount < 0n ? above * 2n > unit : above * 2n >= unit)
  return (isUp ? lower + unit : lower) as Pico
}

/** Rounds an amount of zero or more up to a whole cent. */
export const ceilToCent = (amount: Pico): Pico =>
  (((amount + PICO_PER_CENT - 1n) / PICO_PER_CENT) * PICO_PER_CENT) as Pico

/** The price rule: returns the exact cost of one request of `tokens` at `pricePico` pico-USD per token. `token_cost` charges the same. */
export const cost = (tokens: number | bigint, pricePico: Pico): Pico => (BigInt(tokens) * pricePico) as Pico

/** Returns the cost of requests with `tokens` in all, spread evenly over them. */
export function costOfAll(requests: number, tokens: number, pricePico: Pico): Pico {
  if (requests === 0) return pico(0)
  const larger = tokens % requests
  const each = (tokens - larger) / requests
  const ofLarger = BigInt(larger) * cost(each + 1, pricePico)
  return (BigInt(requests - larger) * cost(each, pricePico) + ofLarger) as Pico
}

/** Returns what `part` of a request's `tokens` adds to its cost. */
export const costOfPart = (part: number, tokens: number, pricePico: Pico): Pico =>
  (cost(tokens, pricePico) - cost(tokens - part, pricePico)) as Pico

/** Returns how many tokens to reserve, at the price of one each, so that no request of up to `maxTokens` costs more. */
export const reservedTokens = (maxTokens: number, pricePico: Pico): number =>
  pricePico === 0n ? maxTokens : Number((cost(maxTokens, pricePico) + pricePico - 1n) / pricePico)

/** Parses USD text such as `0.50`, with at most 12 decimals and at most 9 million USD. Returns null for other text. */
export function parseUsd(text: string): Pico | null {
  const match = /^(-?)(\d{1,7})(?:\.(\d{1,12}))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, whole = "0", fraction = ""] = match
  const value = BigInt(whole) * PICO_PER_USD + BigInt(fraction.padEnd(12, "0"))
  if (value > MAX_PICO) return null
  return (sign ? -value : value) as Pico
}

function decimal(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0")
  return `${value < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Formats an amount as exact USD text with twelve decimals, the form that crosses JSON and client boundaries. */
export const usd12 = (value: Pico): string => decimal(value, 12)

/** Formats `available_usd` with six decimals, rounded down. */
export function usd6Floor(value: Pico): string {
  const micro = value / PICO_PER_MICRO
  return decimal(value < 0n && value % PICO_PER_MICRO !== 0n ? micro - 1n : micro, 6)
}

/** Formats `required_usd` with six decimals, rounded up. */
export function usd6Ceil(value: Pico): string {
  const micro = value / PICO_PER_MICRO
  return decimal(value > 0n && value % PICO_PER_MICRO !== 0n ? micro + 1n : micro, 6)
}

/** Formats a price in pico-USD per token as USD per million tokens with six decimals. Returns null for null. */
export const usdPerMillion = (pricePico: Pico | null): string | null =>
  pricePico === null ? null : decimal(pricePico, 6)

/** Parses a price in USD per million tokens as pico-USD per token. Returns null for invalid text or over six decimals. */
export function parsePricePerMillion(text: string): Pico | null {
  const value = parseUsd(text)
  if (value === null || value < 0n || value % PICO_PER_MICRO !== 0n) return null
  return (value / PICO_PER_MICRO) as Pico
}
