import { existsSync, statSync } from "node:fs"
import * as path from "node:path"
import { InvalidArgumentError } from "commander"
import { type Pico, parsePricePerMillion, parseUsd } from "@/lib/shared/money"

// The largest price the model table takes: USD per million tokens.
const HIGHEST_PRICE_USD = "100000"
const LONGEST_NOTE = 200

const refuse = (why: string): never => {
  throw new InvalidArgumentError(why)
}

/** An amount above zero, in USD. */
export function amountUsd(text: string): Pico {
  const amount = parseUsd(text)
  return amount !== null && amount > 0n ? amount : refuse("It must be an amount above zero in USD, such as 5 or 0.50.")
}

const PICO_PER_CENT = 10_000_000_000n
const MOST_CENTS = 99_999_999n

/** An amount of a payment in USD, as whole cents above zero. */
export function centsUsd(text: string): number {
  const amount = parseUsd(text) ?? 0n
  const cents = amount / PICO_PER_CENT
  if (amount <= 0n || amount % PICO_PER_CENT !== 0n || cents > MOST_CENTS)
    return refuse("It must be an amount in USD and whole cents, such as 5 or 0.50.")
  return Number(cents)
}

/** A price in USD per million input tokens, with at most six decimals. */
export function priceUsd(text: string): Pico {
  const price = parsePricePerMillion(text)
  const highest = parsePricePerMillion(HIGHEST_PRICE_USD)
  if (price === null || highest === null || price > highest)
    return refuse(
      `It must be a price in USD per million tokens, from 0 to ${HIGHEST_PRICE_USD}, with at most six decimals.`,
    )
  return price
}

/** A whole number from `low` to `high`. */
export const whole =
  (low: number, high: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= low && value <= high ? value : refuse(`It must be a whole number from ${low} to ${high}.`)
  }

/** A note for the ledger: one line of plain text. */
export function note(text: string): string {
  const trimmed = text.trim()
  if (trimmed === "" || trimmed.length > LONGEST_NOTE || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed())
    return refuse(`It must be one line of 1 to ${LONGEST_NOTE} characters.`)
  return trimmed
}

/** An engine's address, without a slash at its end. */
export function engineUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return refuse("It must be an http or https URL.")
  return text.replace(/\/+$/, "")
}

/** A folder that exists, as its absolute path: the server may run elsewhere. */
export function folder(text: string): string {
  if (!existsSync(text) || !statSync(text).isDirectory()) return refuse("It must be a folder that exists.")
  return path.resolve(text)
}
