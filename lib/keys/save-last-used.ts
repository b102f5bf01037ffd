import "server-only"
import { runtime } from "../runtime"

/** Writes when each key was last used: one statement for all keys of the last seconds, none per request. */
export async function saveLastUsed(): Promise<void> {
  const { pool, keys } = runtime()
  const used = [...keys.takeLastUsed()]
  if (used.length === 0) return
  await pool.query(
    `UPDATE api_key SET last_used_at = used.at
     FROM unnest($1::uuid[], $2::timestamptz[]) AS used(id, at)
     WHERE api_key.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
    [used.map(([id]) => id), used.map(([, at]) => new Date(at))],
  )
}
