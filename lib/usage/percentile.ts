/** How many answers fell into each latency bucket, as `latency_bucket` in SQL numbers them. */
export type Latencies = ReadonlyMap<number, number>

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
export function percentileMs(latencies: Latencies, share: number): number | null {
  const total = [...latencies.values()].reduce((sum, n) => sum + n, 0)
  const rank = Math.max(1, Math.ceil(total * share))
  let before = 0
  for (const [bucket, n] of [...latencies].sort(([a], [b]) => a - b)) {
    if (before + n >= rank) {
      const { low, high } = boundsOf(bucket)
      return Math.round(low + ((high - low) * (rank - before - 0.5)) / n)
    }
    before += n
  }
  return null
}
