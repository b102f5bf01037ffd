import { runtime } from "@/lib/server/platform/runtime"

/**
 * Writes when each key was last used: one statement for all keys of the last seconds, none per request. A key that is being
 * charged at this moment has its turn in the next round: waiting for it, two writers could each wait for the other.
 */
export async function saveLastUsed(): Promise<void> {
  const { pool, keys } = runtime()
  const used = keys.takeLastUsed()
  if (used.size === 0) return
  try {
    const { rows } = await pool.query<{ id: string }>(
      `WITH free AS (
         SELECT k.id, used.at FROM unnest($1::uuid[], $2::timestamptz[]) AS used(id, at) JOIN api_key k ON k.id = used.id
         FOR NO KEY UPDATE OF k SKIP LOCKED
       ), saved AS (
         UPDATE api_key SET last_used_at = free.at FROM free
         WHERE api_key.id = free.id AND (last_used_at IS NULL OR last_used_at < free.at)
       ) SELECT id FROM free`,
      [[...used.keys()], [...used.values()].map((at) => new Date(at))],
    )
    for (const { id } of rows) used.delete(id)
  } finally {
    for (const [id, at] of used) keys.used(id, at)
  }
}
