import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { auditActions, describeAction } from "./actions"
import type { AuditLine, AuditPage, ListAuditInput } from "./schema"

const PAGE = 50

interface Row {
  id: string
  created_at: Date
  actor: string
  action: string
  subject: string | null
  detail: string | null
  client_address: string | null
  email: string | null
}

// Reads the (account_id, id) index backwards from the cursor. It serves every topic, because an account's log is short.
const SELECT = `
  SELECT e.id, e.created_at, e.actor, e.action, e.subject, e.detail, e.client_address, u.email
  FROM audit_event e LEFT JOIN app_user u ON u.id = substring(e.actor FROM '^user:([0-9a-f-]{36})$')::uuid
  WHERE e.account_id = $1 AND e.id < $2 AND ($3::text[] IS NULL OR e.action = ANY ($3))
  ORDER BY e.id DESC LIMIT $4`

const LAST = "9223372036854775807"

/** Returns the public id in a subject, or null. An operator's note may follow the id, and the account must not read it. */
const idOf = (subject: string | null): string | null =>
  /^(?:key|top|ses|tok|usr|inv)_[0-9a-z]{26}(?= |$)/.exec(subject ?? "")?.[0] ?? null

/** Returns the names of the account's keys by UUID, with their endings where two have the same, when a line is about a key. */
async function keyNames({ pool }: Runtime, accountId: string, lines: Row[]): Promise<ReadonlyMap<string, string>> {
  if (!lines.some(({ subject }) => parsePublicId("key", subject ?? ""))) return new Map()
  const { rows } = await pool.query<{ id: string; name: string; masked: string | null }>(
    "SELECT id, name, masked FROM api_key WHERE account_id = $1",
    [accountId],
  )
  return labelKeys(rows)
}

/** Returns the addresses of the members and invitations that lines are about, by UUID. An invitation of long ago has none. */
async function people({ pool }: Runtime, accountId: string, lines: Row[]): Promise<Map<string, string>> {
  const idsOf = (prefix: "usr" | "inv") =>
    lines.map(({ subject }) => parsePublicId(prefix, subject ?? "")).filter((id) => id !== null)
  const [users, invitations] = [idsOf("usr"), idsOf("inv")]
  if (users.length + invitations.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; email: string }>(
    `SELECT id, email FROM app_user WHERE id = ANY ($2)
     UNION ALL SELECT id, email FROM invitation WHERE account_id = $1 AND id = ANY ($3)`,
    [accountId, users, invitations],
  )
  return new Map(rows.map(({ id, email }) => [id, email]))
}

const isOperator = ({ actor }: Row): boolean => actor.startsWith("operator")

const nameOf = (row: Row): string => row.email ?? (isOperator(row) ? "Operator" : "The service")

function auditLine(row: Row, names: ReadonlyMap<string, string>, persons: Map<string, string>): AuditLine {
  const person = parsePublicId("usr", row.subject ?? "") ?? parsePublicId("inv", row.subject ?? "")
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    action: row.action,
    subject: idOf(row.subject),
    keyName: names.get(parsePublicId("key", row.subject ?? "") ?? "") ?? null,
    person: persons.get(person ?? "") ?? null,
    detail: row.detail,
    by: nameOf(row),
    // Members of the account must not see the operator's address.
    clientAddress: isOperator(row) ? null : row.client_address,
  }
}

/** Returns a page of 50 audit rows of the actor's account, newest first. */
export async function listAudit(
  runtime: Runtime,
  actor: UserActor,
  { topic = "all", before = null }: Partial<ListAuditInput> = {},
): Promise<AuditPage> {
  requireRight(actor, "audit.read")
  const actions = topic === "all" ? null : auditActions((_action, of) => of === topic)
  const { rows } = await runtime.pool.query<Row>(SELECT, [actor.accountId, before ?? LAST, actions, PAGE + 1])
  const page = rows.slice(0, PAGE)
  const [names, persons] = await Promise.all([
    keyNames(runtime, actor.accountId, page),
    people(runtime, actor.accountId, page),
  ])
  return {
    lines: page.map((row) => auditLine(row, names, persons)),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  }
}

const KEY_VERBS: Record<string, string> = {
  "key.create": "Created",
  "key.change": "Changed the name or note of",
  "key.pause": "Paused",
  "key.resume": "Resumed",
  "key.revoke": "Revoked",
}

const PERSON_SENTENCES: Record<string, (person: string, role: string) => string> = {
  "member.invite": (person, role) => `Invited ${person} as ${role}`,
  "member.resend": (person) => `Sent the invitation of ${person} again`,
  "member.revoke": (person) => `Revoked the invitation of ${person}`,
  "member.join": (_person, role) => `Joined the account as ${role}`,
  "member.role": (person, role) => `Changed the role of ${person} to ${role}`,
  "member.transfer": (person) => `Transferred the ownership to ${person}`,
  "member.remove": (person) => `Removed ${person}`,
}

/** Describes an audit row of an account in one sentence. */
export function describeAudit({ action, keyName, person, detail }: AuditLine): string {
  if (person !== null && action in PERSON_SENTENCES) return PERSON_SENTENCES[action]?.(person, detail ?? "") ?? action
  const key = `the key “${keyName}”`
  const verb = KEY_VERBS[action]
  if (verb && keyName !== null) return `${verb} ${key}`
  if (action === "user.email" && detail) return `Changed their e-mail address from ${detail.replace(" ", " to ")}`
  if (action === "session.create" && detail) return `Signed in with ${detail}`
  if (action === "topup.adjust") return `Adjusted the balance for a ${detail === "dispute" ? "dispute" : "refund"}`
  return describeAction(action)
}
