import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { type AuditLine, type AuditPage, type AuditTopic, ListAuditInput } from "./schema"

const PAGE = 50

const ACTIONS: Record<Exclude<AuditTopic, "all">, string[]> = {
  "sign-ins": ["account.create", "session.create", "session.confirm", "session.end"],
  keys: ["key.create", "key.revoke"],
  billing: [
    "account.credit",
    "account.debit",
    "topup.start",
    "topup.paid",
    "topup.adjust",
    "topup.refund",
    "topup.refund_refused",
  ],
}

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
  FROM audit_event e LEFT JOIN app_user u ON e.actor = 'user:' || u.id
  WHERE e.account_id = $1 AND e.id < $2 AND ($3::text[] IS NULL OR e.action = ANY ($3))
  ORDER BY e.id DESC LIMIT $4`

const LAST = "9223372036854775807"

/** Returns the public id in a subject, without the operator's note that may follow it: the account must not read the note. */
const idOf = (subject: string | null): string | null =>
  subject && /^(?:key|top|ses)_[0-9a-z]{26}(?= |$)/.exec(subject)?.[0] ? (subject.split(" ")[0] ?? null) : null

async function keyNames(accountId: string, lines: Row[]): Promise<Map<string, string>> {
  const ids = lines.map(({ subject }) => parsePublicId("key", subject ?? "")).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const { rows } = await runtime().pool.query<{ id: string; name: string }>(
    "SELECT id, name FROM api_key WHERE account_id = $1 AND id = ANY ($2)",
    [accountId, ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const isOperator = ({ actor }: Row): boolean => actor.startsWith("operator")

const nameOf = (row: Row): string => row.email ?? (isOperator(row) ? "Operator" : "The service")

function auditLine(row: Row, names: Map<string, string>): AuditLine {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    action: row.action,
    subject: idOf(row.subject),
    keyName: names.get(parsePublicId("key", row.subject ?? "") ?? "") ?? null,
    detail: row.detail,
    by: nameOf(row),
    // The account's members may not learn from where the operator works.
    clientAddress: isOperator(row) ? null : row.client_address,
  }
}

/** Returns a page of 50 audit rows of the actor's account, newest first. */
export async function listAudit(actor: UserActor, input: ListAuditInput = {}): Promise<AuditPage> {
  const { topic, before } = parseInput(ListAuditInput, input)
  const actions = topic === "all" ? null : ACTIONS[topic]
  const { rows } = await runtime().pool.query<Row>(SELECT, [actor.accountId, before ?? LAST, actions, PAGE + 1])
  const page = rows.slice(0, PAGE)
  const names = await keyNames(actor.accountId, page)
  return {
    lines: page.map((row) => auditLine(row, names)),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Describes an audit row in one sentence. */
export function describeAudit({ action, keyName, detail }: AuditLine): string {
  const key = keyName === null ? "a key" : `the key “${keyName}”`
  switch (action) {
    case "account.create":
      return "Created the account"
    case "account.credit":
      return "Added credit"
    case "account.debit":
      return "Subtracted credit"
    case "account.limits":
      return "Changed the rate limits"
    case "account.suspend":
      return "Suspended the account"
    case "account.resume":
      return "Resumed the account"
    case "account.close":
      return "Closed the account"
    case "session.create":
      return detail ? `Signed in with ${detail}` : "Signed in"
    case "session.confirm":
      return "Confirmed a session by e-mail"
    case "session.end":
      return "Ended a session"
    case "key.create":
      return `Created ${key}`
    case "key.revoke":
      return `Revoked ${key}`
    case "topup.start":
      return "Started a top-up"
    case "topup.paid":
      return "Added the credit of a paid top-up"
    case "topup.adjust":
      return detail === "dispute" ? "Adjusted the balance for a dispute" : "Adjusted the balance for a refund"
    case "topup.refund":
      return "Requested the refund of a top-up"
    case "topup.refund_refused":
      return "The refund of a top-up was refused"
    default:
      return action
  }
}
