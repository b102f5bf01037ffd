import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"

type OtherUse = Row<"EngineUse", "engine_url" | "used" | "is_wide"> & { processes: number }

/**
 * Reports to other processes how many slots of each engine this one uses, and reads what they use. Runs every second. A process
 * that uses no engine with slots sends nothing. What a process reported is forgotten after 3 s.
 */
export async function shareEngineUse(runtime: Runtime): Promise<void> {
  const {
    pool,
    engines: { slots },
  } = runtime
  const uses = slots.takeUse()
  if (uses.length === 0) return slots.setOthers([])
  const { rows } = await pool.query<OtherUse>({
    name: "share-engine-use",
    text: `WITH mine AS (
        INSERT INTO engine_use (process_id, engine_url, used, is_wide, seen_at)
        SELECT $1, url, used, is_wide, clock_timestamp() FROM unnest($2::text[], $3::int[], $4::boolean[]) AS u (url, used, is_wide)
        ON CONFLICT (process_id, engine_url) DO UPDATE SET used = excluded.used, is_wide = excluded.is_wide, seen_at = excluded.seen_at
      ), old AS (
        DELETE FROM engine_use WHERE seen_at < clock_timestamp() - interval '1 minute' AND process_id <> $1
      )
      SELECT engine_url, sum(used)::int AS used, count(*)::int AS processes, bool_or(is_wide) AS is_wide FROM engine_use
      WHERE process_id <> $1 AND engine_url = ANY ($2) AND seen_at > clock_timestamp() - interval '3 seconds' GROUP BY engine_url`,
    values: [
      slots.processId,
      uses.map(({ url }) => url),
      uses.map(({ used }) => used),
      uses.map(({ isWide }) => isWide),
    ],
  })
  slots.setOthers(
    rows.map(({ engine_url: url, used, processes, is_wide: isWide }) => ({ url, used, processes, isWide })),
  )
}
