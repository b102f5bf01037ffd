export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const YEAR_SECONDS = 31_536_000

/** Returns the UTC day of a time, such as `2026-11-20`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
