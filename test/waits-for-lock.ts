import { expect } from "vitest"
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
