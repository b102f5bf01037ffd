import type pg from "pg"

/** Where periodic work continues: it reads rows of times from `since` up to `until`. */
export interface Stretch {
  /** PostgreSQL's text of a time; `-infinity` when the work was never done, or when the clock was set back. */
  since: string
  until: string
}

/** A row may become visible this long after its time: its transaction may have waited for a lock or for the disk. */
const OVERLAP_SECONDS = 60

/** Returns the times that the work of this name has to read now. */
export async function nextStretch(pool: pg.Pool, name: string): Promise<Stretch> {
  const { rows } = await pool.query<Stretch>(
    `SELECT coalesce((SELECT done_until FROM job_mark WHERE name = $1 AND done_until <= now), '-infinity')::text AS since, now::text AS until
     FROM ledger_now() AS now`,
    [name],
  )
  return rows[0] ?? { since: "-infinity", until: "-infinity" }
}

/** Remembers that a stretch is done. The next one overlaps it, by default by a minute. */
export async function saveStretch(
  pool: pg.Pool,
  name: string,
  { until }: Stretch,
  overlapSeconds = OVERLAP_SECONDS,
): Promise<void> {
  await pool.query(
    `INSERT INTO job_mark VALUES ($1, $2::timestamptz - make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE SET done_until = EXCLUDED.done_until`,
    [name, until, overlapSeconds],
  )
}
