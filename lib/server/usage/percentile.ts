/** Decimal digits that each bucket's count has in the number that holds them all, as `latency_unit` in SQL places them. */
const DIGITS = 12

/** How many answers fell into each latency bucket, as `latency_bucket` in SQL numbers them; the least first. */
export function countsOf(latencies: bigint): [bucket: number, n: number][] {
  const text = latencies.toString()
  const counts: [number, number][] = []
  for (let end = text.length, bucket = 0; end > 0; end -= DIGITS, bucket++) {
    const n = Number(text.slice(Math.max(0, end - DIGITS), end))
    if (n > 0) counts.push([bucket, n])
  }
  return counts
}

/** The whole milliseconds that a bucket holds, both included. */
function boundsOf(bucket: number): { low: number; high: number } {
  if (bucket < 1) return { low: 0, high: 0 }
  const from = (edge: number) => Math.ceil(2 ** (edge / 8) - 1e-9)
  return { low: from(bucket - 1), high: Math.max(from(bucket - 1), from(bucket) - 1) }
}

/**
 * The latency that a share of the answers stayed within, in milliseconds, or null without an answer. Exact up to 11 ms;
 * above, the bucket is the true one and the place within it is estimated, so that it is at most 9 % off.
 */
export function percentileMs(counts: [bucket: number, n: number][], share: number): number | null {
  const total = counts.reduce((sum, [, n]) => sum + n, 0)
  const rank = Math.max(1, Math.ceil(total * share))
  let before = 0
  for (const [bucket, n] of counts) {
    if (before + n >= rank) {
      const { low, high } = boundsOf(bucket)
      return Math.round(low + ((high - low) * (rank - before - 0.5)) / n)
    }
    before += n
  }
  return null
}
