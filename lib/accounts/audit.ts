import "server-only"
import type { ClientBase, Pool } from "pg"

export interface AuditEntry {
  accountId: string | null
  /** `user:<id>`, `operator` or `system`. */
  actor: string
  /** What happened, as `thing.verb`: `key.create`. */
  action: string
  /** The id of what it happened to. Never content. */
  subject?: string
  clientAddress?: string | null
}

/** Writes one line of the audit log, in the caller's transaction when given its client. */
export async function audit(db: Pool | ClientBase, entry: AuditEntry): Promise<void> {
  await db.query(
    "INSERT INTO audit_event (account_id, actor, action, subject, client_address) VALUES ($1, $2, $3, $4, $5)",
    [entry.accountId, entry.actor, entry.action, entry.subject ?? null, entry.clientAddress ?? null],
  )
}
