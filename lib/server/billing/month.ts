const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/

/** The UTC month of a moment, such as `2026-11`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** A month as it was given in an address, or null when it is none. */
export const parseMonth = (text: unknown): string | null => (typeof text === "string" && MONTH.test(text) ? text : null)

/** Its first moment, and that of the month after it. */
export function monthRange(month: string): { start: Date; end: Date } {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return { start: new Date(Date.UTC(year, number - 1)), end: new Date(Date.UTC(year, number)) }
}

/** Every month from the first moment's to the last's, newest first. */
export function monthsBetween(first: Date, last: Date): string[] {
  const months: string[] = []
  for (let at = monthRange(monthOf(last)).start; at >= monthRange(monthOf(first)).start; ) {
    months.push(monthOf(at))
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1))
  }
  return months
}
