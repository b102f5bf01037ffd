import type { ClientBase, Pool } from "pg"
import type { AuditAction } from "./schema"

export interface AuditEntry {
  accountId: string | null
  /** `user:<id>`, `operator` or `system`. */
  actor: string
  action: AuditAction
  /** The id of what it happened to. Never content. */
  subject?: string
  /** What more there is to say, such as the browser that signed in. Never content. */
  detail?: string | null
  clientAddress?: string | null
}

/**
 * Writes one line of the audit log, in the caller's transaction when given its client. The only writer; the database refuses
 * to change or remove a line.
 */
export async function recordAudit(db: Pool | ClientBase, entry: AuditEntry): Promise<void> {
  await db.query(
    "INSERT INTO audit_event (account_id, actor, action, subject, detail, client_address) VALUES ($1, $2, $3, $4, $5, $6)",
    [
      entry.accountId,
      entry.actor,
      entry.action,
      entry.subject ?? null,
      entry.detail ?? null,
      entry.clientAddress ?? null,
    ],
  )
}
