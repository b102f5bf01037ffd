/**
 * Money is integer pico-USD (10⁻¹² USD) in `bigint`. A price of P micro-USD per million tokens is P pico-USD per token,
 * so T tokens cost exactly P·T and nothing is rounded but for display.
 */
declare const brand: unique symbol
export type Pico = bigint & { readonly [brand]: "pico-USD" }

const PICO_PER_USD = 1_000_000_000_000n
const PICO_PER_MICRO = 1_000_000n
const MAX_PICO = 9_000_000_000_000_000_000n

/** An integer amount of pico-USD, as the database returns it: a bigint, or its decimal text. */
export const pico = (value: bigint | string | number): Pico => BigInt(value) as Pico

/** The exact cost of `tokens` at `pricePico` pico-USD per token. */
export const cost = (tokens: number | bigint, pricePico: Pico): Pico => (BigInt(tokens) * pricePico) as Pico

/** Reads a plain decimal USD text such as `0.50` (at most 12 decimals, at most 9 million USD); null when it is not one. */
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

/** Six decimals toward −∞: how `available_usd` is shown. */
export function usd6Floor(value: Pico): string {
  const micro = value / PICO_PER_MICRO
  return decimal(value < 0n && value % PICO_PER_MICRO !== 0n ? micro - 1n : micro, 6)
}

/** Six decimals toward +∞: how `required_usd` is shown. */
export function usd6Ceil(value: Pico): string {
  const micro = value / PICO_PER_MICRO
  return decimal(value > 0n && value % PICO_PER_MICRO !== 0n ? micro + 1n : micro, 6)
}

/** A price in pico-USD per token as USD per million tokens, six decimals; null stays null. */
export const usdPerMillion = (pricePico: Pico | null): string | null =>
  pricePico === null ? null : decimal(pricePico, 6)

/** A price text in USD per million tokens as pico-USD per token; null when it is no price or has over six decimals. */
export function parsePricePerMillion(text: string): Pico | null {
  const value = parseUsd(text)
  if (value === null || value < 0n || value % PICO_PER_MICRO !== 0n) return null
  return (value / PICO_PER_MICRO) as Pico
}
