import type { Pool } from "pg"

/** Returns how far this process's clock is ahead of the database's, in ms. The wait for a connection makes it wrong by half of it. */
export async function readClockSkewMs(pool: Pool): Promise<number> {
  const askedAt = Date.now()
  const { rows } = await pool.query<{ ms: number }>("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms")
  return (askedAt + Date.now()) / 2 - (rows[0]?.ms ?? Number.NaN)
}
