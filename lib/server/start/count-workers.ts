import { availableParallelism } from "node:os"
import type { Pool } from "pg"
import { BadSetting, type Env } from "@/lib/server/platform/env"

const AVAILABLE = `SELECT (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
  - coalesce(current_setting('reserved_connections', true)::int, 0)) AS connections`

/** Returns how many processes with these pools PostgreSQL has connections for: any number behind a pooler. */
async function findMostProcesses({ DATABASE_POOL, DATABASE_DIRECT_URL }: Env, pool: Pool): Promise<number> {
  if (DATABASE_DIRECT_URL) return Number.POSITIVE_INFINITY
  const { rows } = await pool.query<{ connections: number }>(AVAILABLE)
  return Math.floor((rows[0]?.connections ?? 0) / DATABASE_POOL)
}

/**
 * Returns how many processes serve the API. While developing there is one, because Next runs in it. `auto` is one for each processor,
 * as far as PostgreSQL has connections. Throws `BadSetting` when it has too few for the number that was set.
 */
export async function countWorkers(env: Env, pool: Pool): Promise<number> {
  const { API_WORKERS, DATABASE_POOL, SERVE } = env
  if (API_WORKERS === 1 || env.isDevelopment) return 1
  // The supervisor has a pool, and so has the console's process.
  const others = SERVE === "all" ? 2 : 1
  const most = (await findMostProcesses(env, pool)) - others
  if (API_WORKERS === "auto") return Math.max(1, Math.min(availableParallelism(), most))
  if (API_WORKERS <= most) return API_WORKERS
  const processes = API_WORKERS + others
  throw new BadSetting(
    `API_WORKERS=${API_WORKERS} needs up to ${processes * DATABASE_POOL} connections, ${DATABASE_POOL} (DATABASE_POOL) for each of ${processes} processes, more than PostgreSQL allows. Lower one of the two or raise max_connections`,
  )
}
