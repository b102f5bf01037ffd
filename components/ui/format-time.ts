const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const two = (value: number): string => String(value).padStart(2, "0")

/** "20 Nov 2026", in UTC. */
export function formatDate(at: Date): string {
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

/** "20 Nov", in UTC: where the year is known. */
export const formatDay = (at: Date): string => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`

/** "15:04", in UTC. */
export const formatHour = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`

/** "20 Nov 2026, 15:04", in UTC. */
export const formatDateTime = (at: Date): string =>
  `${formatDate(at)}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`

/** "20 Nov 2026, 15:04:09 UTC". */
export const formatExact = (at: Date): string => `${formatDateTime(at)}:${two(at.getUTCSeconds())} UTC`

/** "just now", "3 min ago", "in 2 h"; beyond a month the date. */
export function formatRelative(at: Date, now: Date): string {
  const spanMs = at.getTime() - now.getTime()
  const seconds = Math.round(Math.abs(spanMs) / 1_000)
  const ago = (text: string) => (spanMs < 0 ? `${text} ago` : `in ${text}`)
  if (seconds < 45) return spanMs <= 0 ? "just now" : "in a moment"
  if (seconds < 3_570) return ago(`${Math.round(seconds / 60)} min`)
  if (seconds < 84_600) return ago(`${Math.round(seconds / 3_600)} h`)
  const days = Math.round(seconds / 86_400)
  if (days <= 30) return ago(days === 1 ? "1 day" : `${days} days`)
  return formatDate(at)
}
