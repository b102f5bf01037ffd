/** Returns the lowest and the highest whole milliseconds of a bucket, as `latency_bucket` in SQL numbers them. */
function boundsOf(bucket: number): { low: number; high: number } {
  if (bucket < 1) return { low: 0, high: 0 }
  const from = (edge: number) => Math.ceil(2 ** (edge / 8) - 1e-9)
  return { low: from(bucket - 1), high: Math.max(from(bucket - 1), from(bucket) - 1) }
}

/**
 * Returns the latency that a share of the answers stayed within, in milliseconds, or null without an answer. `counts` has the
 * number of answers of each bucket. Exact up to 11 ms. Above, the position within the right bucket is estimated, so the result
 * is at most 9 % off.
 */
export function percentileMs(counts: number[], share: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0)
  const rank = Math.max(1, Math.ceil(total * share))
  let before = 0
  for (const [bucket, n] of counts.entries()) {
    if (n > 0 && before + n >= rank) {
      const { low, high } = boundsOf(bucket)
      return Math.round(low + ((high - low) * (rank - before - 0.5)) / n)
    }
    before += n
  }
  return null
}
