import type { ClientBase, Pool } from "pg"
import { queueEvent } from "@/lib/server/events/queue-event"
import type { Actor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction, isPool } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
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
  /** Whether the account must not learn of it. */
  isHidden?: boolean
}

/**
 * Returns the public id in the subject of an entry, or null. An operator's note may follow the id, and the account must not read it.
 */
export const idOfSubject = (subject: string | null | undefined): string | null =>
  /^(?:key|top|ses|tok|usr|inv)_[0-9a-z]{26}(?= |$)/.exec(subject ?? "")?.[0] ?? null

/**
 * Returns `user:<id>`, `key:<id>`, `token:<id>`, `operator:<user id>` in the console, `operator_token:<id>`, or the type: `operator` at the
 * command line, `provider`, `system`.
 */
export function nameOf(actor: Actor): string {
  if ((actor.type === "user" || actor.type === "visitor") && actor.userId !== null) return `user:${actor.userId}`
  if (actor.type === "operator" && actor.token) return `operator_token:${actor.token.id}`
  if (actor.type === "operator" && actor.userId !== null) return `operator:${actor.userId}`
  if (actor.type === "token") return `token:${actor.tokenId}`
  return actor.type === "key" ? `key:${actor.keyId}` : actor.type
}

const INSERT = `
  INSERT INTO audit_event (account_id, actor, action, subject, detail, client_address) VALUES ($1, $2, $3, $4, $5, $6)
  RETURNING id`

/**
 * Writes one row of the audit log and queues the event `audit.recorded`, in the transaction of the change, or with the pool for a change
 * outside the database. No other code writes audit rows. A trigger refuses to remove a row, and to change one except to erase its client
 * address and detail.
 */
export async function recordAudit(db: Pool | ClientBase, actor: Actor, entry: AuditEntry): Promise<void> {
  if (isPool(db)) return inTransaction(db, (client) => recordAudit(client, actor, entry))
  const { action, subject = null, detail = null, isHidden = false } = entry
  const { accountId, clientAddress } = actor
  const values = [accountId, nameOf(actor), action, subject, detail, clientAddress]
  const { rows } = await db.query<Row<"AuditEvent", "id">>(INSERT, values)
  const [id] = rows.map((row) => row.id)
  if (accountId === null || id === undefined || isHidden) return
  const data = { account_id: publicId("acc", accountId), entry_id: id, action, subject: idOfSubject(subject) }
  await queueEvent(db, { accountId, type: "audit.recorded", source: `audit:${id}`, data })
}
