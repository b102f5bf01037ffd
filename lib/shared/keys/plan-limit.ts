import { formatExactUsd, inputUsd } from "@/lib/shared/format"
import { PICO_PER_USD, parseUsd, usd12 } from "@/lib/shared/money"

/** The total cost of the account's last decisions, for planning a limit. Exact USD texts. */
export interface SpendSample {
  /** At most ten. */
  count: number
  totalUsd: string
  /** The price of the alias's model per million input tokens; null while it is not sold. */
  pricePerMillionUsd: string | null
}

const WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** Rounds down to two significant digits, such as "12,000". */
function about(count: bigint): string {
  const text = count.toString()
  const kept = text.slice(0, 2).padEnd(text.length, "0")
  return kept.replace(/\B(?=(\d{3})+$)/g, ",")
}

function planByPrice(what: string, amount: bigint, price: string | null): string {
  const perMillion = price === null ? null : parseUsd(price)
  if (perMillion === null) return "After your first decisions, this shows how many of them an amount pays for."
  if (perMillion === 0n) return "The current model costs nothing, so nothing counts against a limit yet."
  return `${what} pays for about ${about((amount * 1_000_000n) / perMillion)} input tokens at today's price.`
}

/** A suggested limit pays for this many decisions like the last ones. */
const SUGGESTED_DECISIONS = 10_000n
/** A higher limit may need a recent sign-in. */
const MOST_USD = 50n

/** Rounds up to one, two or five times a power of ten. */
function roundUp(usd: bigint): bigint {
  for (let unit = 1n; ; unit *= 10n) for (const step of [1n, 2n, 5n]) if (step * unit >= usd) return step * unit
}

/**
 * Suggests a daily limit in whole USD: enough for 10,000 decisions like the account's last ones, from $1 to $50. Without a decision, it
 * suggests $1. Suggests at most `maxUsd`, the account's maximum; null for none.
 */
export function suggestLimit({ count, totalUsd }: SpendSample, maxUsd: string | null): string {
  const wanted = count === 0 ? 0n : (SUGGESTED_DECISIONS * (parseUsd(totalUsd) ?? 0n)) / BigInt(count)
  const usd = roundUp((wanted + PICO_PER_USD - 1n) / PICO_PER_USD)
  const suggested = usd > MOST_USD ? MOST_USD : usd
  const max = maxUsd === null ? null : parseUsd(maxUsd)
  return max !== null && max < suggested * PICO_PER_USD ? inputUsd(usd12(max)) : suggested.toString()
}

/**
 * Describes a spend limit: "$1.00 a day is about 12,000 decisions like your last ten." Null for an invalid amount. An
 * estimate, since prices and texts change.
 */
export function planLimit(amountUsd: string, period: "daily" | "lifetime", sample: SpendSample): string | null {
  const amount = parseUsd(amountUsd)
  if (amount === null || amount <= 0n) return null
  const total = parseUsd(sample.totalUsd) ?? 0n
  const what = `${formatExactUsd(amount)}${period === "daily" ? " a day" : ""}`
  if (sample.count === 0) return planByPrice(what, amount, sample.pricePerMillionUsd)
  const last = `your last ${sample.count === 1 ? "one" : (WORDS[sample.count] ?? sample.count)}`
  if (total === 0n) return `Decisions like ${last} cost nothing, so nothing counts against a limit yet.`
  const decisions = (amount * BigInt(sample.count)) / total
  if (decisions === 0n) return `${what} is less than one decision like ${last}.`
  return `${what} is about ${about(decisions)} ${decisions === 1n ? "decision" : "decisions"} like ${last}.`
}
