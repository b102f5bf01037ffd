import { existsSync, statSync } from "node:fs"
import * as path from "node:path"
import { InvalidArgumentError } from "commander"
import { type Pico, parsePricePerMillion, parseUsd, toCents } from "@/lib/shared/money"

// The largest price that the database accepts, in USD per million tokens.
const MAX_PRICE_USD = "100000"
const MAX_NOTE_LENGTH = 200

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

/** Parses an amount above zero, in USD. */
export function amountUsd(text: string): Pico {
  const amount = parseUsd(text)
  return amount !== null && amount > 0n ? amount : refuse("Use an amount above zero in USD, such as 5 or 0.50.")
}

const MAX_CENTS = 99_999_999

/** Parses an amount in USD as whole cents above zero. */
export function centsUsd(text: string): number {
  const cents = toCents(amountUsd(text))
  if (cents === null || cents > MAX_CENTS) return refuse("Use an amount in USD and whole cents, such as 5 or 0.50.")
  return cents
}

/** Parses a price in USD per million input tokens, with at most six decimals. */
export function priceUsd(text: string): Pico {
  const price = parsePricePerMillion(text)
  const max = parsePricePerMillion(MAX_PRICE_USD)
  if (price === null || max === null || price > max)
    return refuse(`Use a price in USD per million tokens from 0 to ${MAX_PRICE_USD}, with at most six decimals.`)
  return price
}

export const whole =
  (low: number, high: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= low && value <= high ? value : refuse(`Use a whole number from ${low} to ${high}.`)
  }

/** Parses a note for the ledger: one line of plain text. */
export function note(text: string): string {
  const trimmed = text.trim()
  if (trimmed === "" || trimmed.length > MAX_NOTE_LENGTH || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed())
    return refuse(`Use one line of 1 to ${MAX_NOTE_LENGTH} characters.`)
  return trimmed
}

/** Parses an engine's address and removes the final slash. */
export function engineUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) return refuse("Use an http or https URL.")
  return text.replace(/\/+$/, "")
}

/** Returns the absolute path of an existing folder, since the server may run in another one. */
export function folder(text: string): string {
  if (!existsSync(text) || !statSync(text).isDirectory()) return refuse("The folder does not exist.")
  return path.resolve(text)
}
