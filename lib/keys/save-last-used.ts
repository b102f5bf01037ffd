import "server-only"
import { runtime } from "../runtime"

/** Writes when each key was last used: one statement for all keys of the last seconds, none per request. */
export async function saveLastUsed(): Promise<void> {
  const { pool, keys } = runtime()
  const used = [...keys.takeLastUsed()]
  if (used.length === 0) return
  try {
    // Locked in one order, or two instances that write the same keys would each wait for the other.
    await pool.query(
      `UPDATE api_key SET last_used_at = ordered.at
       FROM (SELECT k.id, used.at FROM unnest($1::uuid[], $2::timestamptz[]) AS used(id, at) JOIN api_key k ON k.id = used.id
         WHERE k.last_used_at IS NULL OR k.last_used_at < used.at ORDER BY k.id FOR NO KEY UPDATE OF k) AS ordered
       WHERE api_key.id = ordered.id`,
      [used.map(([id]) => id), used.map(([, at]) => new Date(at))],
    )
  } catch (error) {
    for (const [id, at] of used) keys.used(id, at)
    throw error
  }
}
