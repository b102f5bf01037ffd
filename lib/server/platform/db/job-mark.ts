import type pg from "pg"

/** The time range that a periodic job reads next. The job decides whether the ends are included. */
export interface TimeRange {
  /** Times as PostgreSQL writes them. `-infinity` when the job never finished, or when the clock was set back. */
  since: string
  until: string
}

/** A row may become visible this long after its time: its transaction may have waited for a lock or for the disk. */
const OVERLAP_SECONDS = 60

/** Returns the time range that the job must read now. */
export async function nextRange(pool: pg.Pool, name: string): Promise<TimeRange> {
  const { rows } = await pool.query<TimeRange>(
    `SELECT coalesce((SELECT done_until FROM job_mark WHERE name = $1 AND done_until <= now), '-infinity')::text AS since, now::text AS until
     FROM ledger_now() AS now`,
    [name],
  )
  return rows[0] ?? { since: "-infinity", until: "-infinity" }
}

/** Saves the end of a completed range. The next range overlaps it, by default by a minute. */
export async function saveRange(
  pool: pg.Pool,
  name: string,
  { until }: TimeRange,
  overlapSeconds = OVERLAP_SECONDS,
): Promise<void> {
  await pool.query(
    `INSERT INTO job_mark VALUES ($1, $2::timestamptz - make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE SET done_until = EXCLUDED.done_until`,
    [name, until, overlapSeconds],
  )
}
