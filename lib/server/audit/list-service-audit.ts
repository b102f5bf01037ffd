import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { AuditFilter } from "@/lib/shared/operator/search"
import { auditActions } from "./actions"
import { finalAuditId } from "./final-audit-id"
import type { ForwardInput } from "./schema"

interface ListServiceAuditInput {
  limit?: number
  /** The `next` of the page before; null for the first page. */
  after?: string | null
  /** A UUID; null for the whole service. */
  accountId?: string | null
  show?: AuditFilter
}

/** An audit row as the operator sees it. */
export interface ServiceAuditLine {
  id: string
  /** ISO text. */
  at: string
  action: string
  /** The id of the changed thing, if that is not the account; a refund's note follows it. */
  subject: string | null
  detail: string | null
  /** An e-mail address, a token by its name, "Command line", "The service" or "A key". */
  by: string
  isByOperator: boolean
  /** Null for an action that concerns no account. */
  account: { id: string; email: string | null } | null
  clientAddress: string | null
}

type AuditRow = Row<
  "AuditEvent",
  "id" | "created_at" | "actor" | "action" | "subject" | "detail" | "client_address" | "account_id"
> & { by_email: string | null; by_token: string | null; account_email: string | null }

/** Returns the actions that a filter shows; null for every action. */
function actionsOf(show: AuditFilter): string[] | null {
  if (show === "all" || show === "operator") return null
  if (show === "models") return auditActions((action) => action.startsWith("model."))
  if (show === "accounts") return auditActions((action, topic) => action.startsWith("account.") || topic === "members")
  return auditActions((_action, topic) => topic === show)
}

const COLUMNS = `
  SELECT e.id, e.created_at, e.actor, e.action, e.subject, e.detail, e.client_address, e.account_id, u.email AS by_email, coalesce(t.name, a.name) AS by_token,
    first_owner_email(e.account_id) AS account_email
  FROM audit_event e LEFT JOIN app_user u ON u.id = substring(e.actor FROM '^(?:user|operator):([0-9a-f-]{36})$')::uuid
    LEFT JOIN operator_token t ON t.id = substring(e.actor FROM '^operator_token:([0-9a-f-]{36})$')::uuid
    LEFT JOIN account_token a ON a.id = substring(e.actor FROM '^token:([0-9a-f-]{36})$')::uuid
  WHERE ($2::uuid IS NULL OR e.account_id = $2)`

// Reads the primary key or (account_id, id) backwards from the cursor.
const SELECT = `${COLUMNS} AND ($3::bigint IS NULL OR e.id < $3)
    AND ($4::text[] IS NULL OR e.action = ANY ($4)) AND (NOT $5 OR e.actor LIKE 'operator%')
  ORDER BY e.id DESC LIMIT $1`

const FORWARD = `${COLUMNS} AND e.id > $3 AND e.id <= $4 ORDER BY e.id LIMIT $1`

function nameOf({ actor, by_email, by_token }: AuditRow): string {
  if (by_email !== null) return by_email
  if (by_token !== null) return `The token “${by_token}”`
  if (actor === "operator") return "Command line"
  if (actor === "provider") return "The OpenID provider"
  if (actor.startsWith("token:")) return "An account token that was revoked"
  return actor.startsWith("key:") ? "A key" : "The service"
}

const lineOf = (row: AuditRow): ServiceAuditLine => ({
  id: row.id,
  at: row.created_at.toISOString(),
  action: row.action,
  subject: row.subject === row.account_id ? null : row.subject,
  detail: row.detail,
  by: nameOf(row),
  isByOperator: row.actor.startsWith("operator"),
  account: row.account_id ? { id: publicId("acc", row.account_id), email: row.account_email } : null,
  clientAddress: row.client_address,
})

/** Returns a page of the audit log of the service or of one account, newest first. For the operator. */
export async function listServiceAudit(
  { pool }: Runtime,
  actor: Actor,
  { limit = 50, after = null, accountId = null, show = "all" }: ListServiceAuditInput = {},
): Promise<{ lines: ServiceAuditLine[]; next: string | null }> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<AuditRow>(SELECT, [
    limit + 1,
    accountId,
    after,
    actionsOf(show),
    show === "operator",
  ])
  const page = rows.slice(0, limit)
  return { lines: page.map(lineOf), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/**
 * Returns at most `limit` audit rows of the service or of one account after an id, oldest first. A row that commits late is never passed,
 * as in `listAuditForward`. For the operator.
 */
export async function listServiceAuditForward(
  runtime: Runtime,
  actor: Actor,
  { after = "0", limit = 1_000, accountId = null }: Partial<ForwardInput> & { accountId?: string | null } = {},
): Promise<ServiceAuditLine[]> {
  requireRight(actor, "service.read")
  const final = await finalAuditId(runtime)
  const { rows } = await runtime.pool.query<AuditRow>(FORWARD, [limit, accountId, after, final])
  return rows.map(lineOf)
}
