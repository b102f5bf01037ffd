import type { ClientBase, Pool } from "pg"
import type { Actor } from "@/lib/server/platform/actor"
import type { AuditAction } from "./actions"

interface AuditEntry {
  action: AuditAction
  /** The id of the changed record. */
  subject?: string
  /**
   * More about the event, such as the browser of a sign-in. Only `session.*` and `user.email` may hold personal data: `erase.ts`
   * clears theirs.
   */
  detail?: string | null
}

/**
 * Returns `user:<id>`, `key:<id>`, `token:<id>`, `operator:<user id>` in the console, `operator_token:<id>`, or the type: `operator` at the
 * command line, `system`.
 */
export function nameOf(actor: Actor): string {
  if ((actor.type === "user" || actor.type === "visitor") && actor.userId !== null) return `user:${actor.userId}`
  if (actor.type === "operator" && actor.token) return `operator_token:${actor.token.id}`
  if (actor.type === "operator" && actor.userId !== null) return `operator:${actor.userId}`
  if (actor.type === "token") return `token:${actor.tokenId}`
  return actor.type === "key" ? `key:${actor.keyId}` : actor.type
}

/**
 * Writes one row of the audit log, in the transaction of the change, or with the pool for a change outside the database. No other
 * code writes audit rows. A trigger refuses to remove a row, and to change one except to erase its client address and detail.
 */
export async function recordAudit(
  db: Pool | ClientBase,
  actor: Actor,
  { action, subject, detail }: AuditEntry,
): Promise<void> {
  await db.query(
    "INSERT INTO audit_event (account_id, actor, action, subject, detail, client_address) VALUES ($1, $2, $3, $4, $5, $6)",
    [actor.accountId, nameOf(actor), action, subject ?? null, detail ?? null, actor.clientAddress],
  )
}
