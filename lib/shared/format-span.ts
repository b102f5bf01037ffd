/** "5 h 12 min": how long to wait, rounded up to the minute, so that it is never over before it is. */
export function formatSpan(spanMs: number): string {
  const minutes = Math.max(1, Math.ceil(spanMs / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`
  return `${Math.ceil(hours / 24)} days`
}
