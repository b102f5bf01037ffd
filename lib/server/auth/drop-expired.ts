import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { runtime } from "@/lib/server/platform/runtime"
import { dropExpiredSessions } from "./sessions"

const DROP_TOKENS = `
  DELETE FROM sign_in_token WHERE token_hash IN (
    SELECT token_hash FROM sign_in_token WHERE created_at < now() - $1 * interval '1 hour' AND expires_at < now()
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`

/** Drops sign-in links after `SIGN_IN_RETENTION_HOURS`, and sessions that are over. Returns how many rows these were. */
export async function dropExpiredSignIns(): Promise<number> {
  const { pool, env } = runtime()
  const links = await dropInBatches(
    async () => (await pool.query(DROP_TOKENS, [env.SIGN_IN_RETENTION_HOURS, DROP_BATCH])).rowCount,
  )
  return links + (await dropInBatches(() => dropExpiredSessions()))
}
