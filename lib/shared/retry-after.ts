/** No sender is made to wait longer than this. */
const MAX_SECONDS = 3_600

/**
 * Parses a `Retry-After` header, in seconds or as a date, into whole seconds from 1 to 3,600. A value out of this range becomes
 * the nearest bound. Null for a header that is missing or neither a number nor a date.
 */
export function parseRetryAfter(header: string | null | undefined, now = Date.now()): number | null {
  const text = header?.trim() ?? ""
  const isNumber = /^[+-]?\d+(?:\.\d+)?$/.test(text)
  const seconds = isNumber ? Number(text) : (Date.parse(text) - now) / 1_000
  return Number.isNaN(seconds) ? null : Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)))
}

/** Returns what `parseRetryAfter` does, or 1 second. */
export const retryAfterSeconds = (header: string | undefined, now = Date.now()): number =>
  parseRetryAfter(header, now) ?? 1
