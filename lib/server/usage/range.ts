import { DAY_MS, dayOf, HOUR_MS } from "@/lib/shared/time"

export interface UsageRange {
  /** The width of one column of the charts. */
  unit: "hour" | "day"
  from: Date
  /** The end, exclusive. */
  to: Date
}

/** A number of UTC days up to today, or two days such as `2026-11-20`, both included. */
export type RangeChoice = { days: number } | { from: string; to: string }

/** Ranges up to this many days are shown by hour. */
const MAX_HOURLY_DAYS = 2

const daysOf = ({ from, to }: Pick<UsageRange, "from" | "to">): number =>
  Math.round((to.getTime() - from.getTime()) / DAY_MS)

/** Returns the start of the first UTC day whose details are kept: `days` days before today. */
export const keptSince = (now: Date, days: number): Date => new Date(Date.parse(dayOf(now)) - days * DAY_MS)

/** Returns the start and end of a choice. `now` defines today. Days whose hours are no longer kept are shown as a whole. */
export function resolveRange(choice: RangeChoice, now: Date, hoursKeptSince = new Date(0)): UsageRange {
  const last = Date.parse("to" in choice ? choice.to : dayOf(now))
  const from = new Date("from" in choice ? Date.parse(choice.from) : last - (choice.days - 1) * DAY_MS)
  const to = new Date(last + DAY_MS)
  const byHour = daysOf({ from, to }) <= MAX_HOURLY_DAYS && from >= hoursKeptSince
  return { unit: byHour ? "hour" : "day", from, to }
}

/** Returns the first moment of a choice and the one after its last. As `resolveRange`, also for two minutes, both included. */
export function resolveTimes(choice: RangeChoice, now: Date): Pick<UsageRange, "from" | "to"> {
  if (!("from" in choice && choice.from.includes("T"))) return resolveRange(choice, now)
  return { from: new Date(`${choice.from}Z`), to: new Date(Date.parse(`${choice.to}Z`) + 60_000) }
}

/** Returns the start of every hour or day of a range, as ISO texts, oldest first. */
export function startsOf({ unit, from, to }: UsageRange): string[] {
  const step = unit === "day" ? DAY_MS : HOUR_MS
  const count = Math.round((to.getTime() - from.getTime()) / step)
  return Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * step).toISOString())
}
