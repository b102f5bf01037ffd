import { PICO_PER_CENT, type Pico, parseUsd, type Rounding, roundUsd, usd12 } from "./money"

const COUNT = new Intl.NumberFormat("en-US")
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 })
const WHOLE_USD = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const SHORT_MONTH = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" })
const LONG_MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" })
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" })

const NO_VALUE = "–"

/** Formats a whole number: "1,234,567". */
export const formatCount = (count: number | bigint): string => COUNT.format(count)

/** Formats a number of things: "1 row", "5,000 rows". `one` is the noun in the singular. */
export const countOf = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`

/** Formats a round count for an axis: "1.2M". */
export const formatCountTick = (count: number): string => COMPACT.format(count)

/** Formats a latency in milliseconds: "1,234 ms"; "–" for null. */
export const formatMs = (ms: number | null): string => (ms === null ? NO_VALUE : `${COUNT.format(ms)} ms`)

/** Formats a round latency for an axis: "250 ms". */
export const formatMsTick = (ms: number): string => `${COMPACT.format(ms)} ms`

/** Decimals of amounts from a cent up. */
const CENT_DECIMALS = 2
/** Significant digits of amounts below a cent. */
const SMALL_DIGITS = 3

function toDisplay(amount: Pico, decimals: number): string {
  const [whole = "0", fraction = ""] = usd12((amount < 0n ? -amount : amount) as Pico).split(".")
  const cents = fraction.replace(/0+$/, "").padEnd(Math.max(CENT_DECIMALS, decimals), "0")
  return `${amount < 0n ? "−" : ""}$${WHOLE_USD.format(BigInt(whole))}.${cents}`
}

const toPico = (value: Pico | string): Pico | null => (typeof value === "string" ? parseUsd(value) : value)

function decimalsOf(amount: Pico): number {
  if (amount >= PICO_PER_CENT || amount <= -PICO_PER_CENT) return CENT_DECIMALS
  const digits = usd12(amount).replace(/^-?0\.0*/, "").length
  return Math.min(12, 12 - digits + SMALL_DIGITS)
}

function toRounded(value: Pico | string, rounding: Rounding, decimals: number | undefined): string {
  const amount = toPico(value)
  if (amount === null) return NO_VALUE
  return toDisplay(roundUsd(amount, decimals ?? decimalsOf(amount), rounding), decimals ?? 0)
}

/**
 * Formats an amount for a reader: "$12.34" from a cent up, three significant digits below a cent ("$0.0000526"). Accepts
 * pico-USD or exact USD text. `decimals`, at least 2, sets one number of decimals for a column. Returns "–" for text that is
 * not an amount. For credit that is left use `formatBalance`, for prices and statements `formatExactUsd`.
 */
export const formatUsd = (value: Pico | string, decimals?: number): string => toRounded(value, "nearest", decimals)

/** Formats credit that is left as `formatUsd` does, but rounded down, so that no more is shown than can be spent. */
export const formatBalance = (value: Pico | string, decimals?: number): string => toRounded(value, "down", decimals)

/** Formats an amount with every digit that it has, and at least two: "$12.34", "$12.340001". `decimals` adds zeros. */
export function formatExactUsd(value: Pico | string, decimals = 0): string {
  const amount = toPico(value)
  return amount === null ? NO_VALUE : toDisplay(amount, decimals)
}

/** Returns an exact amount for a form's input, without the dollar sign and separators: "1234.56". */
export const inputUsd = (usd: string): string => formatExactUsd(usd).replace(/[$,]/g, "")

/** Formats a cost as `formatUsd` does, but returns "Free" for zero. */
export const formatCost = (value: Pico | string): string => (toPico(value) === 0n ? "Free" : formatUsd(value))

/** Formats a price in USD per million tokens, with every digit: "$0.731", "Free". Returns "No price yet" for null. */
export function formatPrice(usd: string | null): string {
  if (usd === null) return "No price yet"
  return toPico(usd) === 0n ? "Free" : formatExactUsd(usd)
}

/** Formats a round amount for an axis: "$0.00002", "$0.30", "$25". */
export const formatUsdTick = (usd: number): string => formatExactUsd(usd.toFixed(12)).replace(/(?<=\d\d)\.00$/, "")

/** Formats a waiting time: "5 h 12 min". Rounds up to the minute, or to the day from 48 hours, so that it never ends early. */
export function formatSpan(spanMs: number): string {
  const minutes = Math.max(1, Math.ceil(spanMs / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes >= 2 * 24 * 60) return `${Math.ceil(minutes / 60 / 24)} days`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`
}

/** Formats a UTC day within a known year: "20 Nov". The month is en-US because en-GB writes "Sept". */
export const formatDay = (at: Date): string => `${at.getUTCDate()} ${SHORT_MONTH.format(at)}`

/** Formats a UTC date: "20 Nov 2026". */
export const formatDate = (at: Date): string => `${formatDay(at)} ${at.getUTCFullYear()}`

/** Formats a month given as "2026-11": "November 2026". */
export const formatMonth = (month: string): string => LONG_MONTH.format(new Date(`${month}-01T00:00:00Z`))

/** Formats a UTC time: "15:04". */
export const formatHour = (at: Date): string => TIME.format(at).slice(0, 5)

/** Formats the earliest time of an event, rounded up to the minute: "15:05 UTC". */
export const formatEarliest = (at: Date): string =>
  `${formatHour(new Date(Math.ceil(at.getTime() / 60_000) * 60_000))} UTC`

/** Formats a UTC date and time: "20 Nov 2026, 15:04". */
export const formatDateTime = (at: Date): string => `${formatDate(at)}, ${formatHour(at)}`

/** Formats a UTC moment to the second: "20 Nov 2026, 15:04:09 UTC". */
export const formatExactTime = (at: Date): string => `${formatDate(at)}, ${TIME.format(at)} UTC`

/** Formats a moment relative to `now`: "just now", "3 min ago", "in 2 h"; as a date beyond 30 days. */
export function formatRelative(at: Date, now: Date): string {
  const spanMs = at.getTime() - now.getTime()
  const seconds = Math.round(Math.abs(spanMs) / 1_000)
  const ago = (text: string) => (spanMs < 0 ? `${text} ago` : `in ${text}`)
  if (seconds < 45) return spanMs <= 0 ? "just now" : "in a moment"
  if (seconds < 3_570) return ago(`${Math.round(seconds / 60)} min`)
  if (seconds < 84_600) return ago(`${Math.round(seconds / 3_600)} h`)
  const days = Math.round(seconds / 86_400)
  if (days <= 30) return ago(countOf(days, "day"))
  return formatDate(at)
}
