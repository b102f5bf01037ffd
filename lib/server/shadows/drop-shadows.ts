import type { Runtime } from "@/lib/server/platform/runtime"
import { keptSince } from "@/lib/server/usage/range"

const OF_CLOSED = ["shadow_account", "shadow_question"].map(
  (table) => `DELETE FROM ${table} USING account a WHERE a.id = account_id AND a.status = 'closed'`,
)

/**
 * Ends shadows whose time is over, and drops those that ended more than `RETENTION_DAYS` ago with their figures. Also drops figures
 * that were saved while their account was being closed. Any server may run it.
 */
export async function dropShadows({ pool, env }: Runtime, now = new Date()): Promise<void> {
  await pool.query("UPDATE shadow SET ended_at = until_at WHERE ended_at IS NULL AND until_at <= $1", [now])
  await pool.query("DELETE FROM shadow WHERE ended_at < $1", [keptSince(now, env.RETENTION_DAYS)])
  for (const statement of OF_CLOSED) await pool.query(statement)
}
