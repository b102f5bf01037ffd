import type { PoolClient } from "pg"
import { expect } from "vitest"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"

export const waitsForLock = (count = 1, pool = runtime().pool): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows[0]?.waiting
    })
    .toBeGreaterThanOrEqual(count)

/**
 * Starts `work` within a transaction that has done `before`, and commits once `work` waits for it and `after` is done. Resolves or
 * rejects as `work` does.
 */
export async function meanwhile<Result>(
  work: () => Promise<Result>,
  before: (client: PoolClient) => Promise<unknown>,
  after: (client: PoolClient) => Promise<unknown> = async () => {},
): Promise<Result> {
  const { working } = await inTransaction(runtime().pool, async (client) => {
    await before(client)
    const working = work()
    working.catch(() => {})
    await waitsForLock()
    await after(client)
    return { working }
  })
  return working
}
