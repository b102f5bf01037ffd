import { expect } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"

export const waitsForLock = (count = 1): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await runtime().pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows[0]?.waiting
    })
    .toBeGreaterThanOrEqual(count)
