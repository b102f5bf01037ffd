/** A span of whole UTC days. */
export interface UsageRange {
  /** The width of one column of its charts. */
  unit: "hour" | "day"
  from: Date
  /** Where it ends; itself outside. */
  to: Date
}

/** So many UTC days up to today, or from one day to another, both included (`2026-11-20`). */
export type RangeChoice = { days: number } | { from: string; to: string }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Up to so many days are shown hour by hour. */
const MOST_DAYS_IN_HOURS = 2

/** The UTC day of a moment, such as `2026-11-20`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The days between two moments at midnight. */
export const daysOf = ({ from, to }: Pick<UsageRange, "from" | "to">): number =>
  Math.round((to.getTime() - from.getTime()) / DAY_MS)

/** A choice as moments; `now` says which day is today. */
export function resolveRange(choice: RangeChoice, now: Date): UsageRange {
  const last = Date.parse("to" in choice ? choice.to : dayOf(now))
  const from = new Date("from" in choice ? Date.parse(choice.from) : last - (choice.days - 1) * DAY_MS)
  const to = new Date(last + DAY_MS)
  return { unit: daysOf({ from, to }) > MOST_DAYS_IN_HOURS ? "day" : "hour", from, to }
}

/** The start of every hour or day of a range, as ISO texts, oldest first. */
export function startsOf({ unit, from, to }: UsageRange): string[] {
  const step = unit === "day" ? DAY_MS : HOUR_MS
  const count = Math.round((to.getTime() - from.getTime()) / step)
  return Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * step).toISOString())
}
