import type pg from "pg"
import { inject } from "vitest"

/** Returns the address of a scratch database. */
export function scratchUrl(pool: pg.Pool): string {
  const { host, port, user } = inject("postgres")
  return `postgresql://${user}@localhost:${port}/${pool.options.database}?host=${encodeURIComponent(host)}`
}
