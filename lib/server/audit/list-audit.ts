import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { type AuditLine, type AuditPage, type AuditTopic, ListAuditInput } from "./schema"

const PAGE = 50

const ACTIONS: Record<Exclude<AuditTopic, "all">, string[]> = {
  "sign-ins": [
    "account.create",
    "session.create",
    "session.confirm",
    "session.end",
    "user.email_ask",
    "user.email_cancel",
    "user.email",
  ],
  members: [
    "account.rename",
    "account.export",
    "account.close",
    "user.delete",
    "member.invite",
    "member.resend",
    "member.revoke",
    "member.join",
    "member.role",
    "member.transfer",
    "member.remove",
    "member.leave",
  ],
  keys: [
    "key.create",
    "key.change",
    "key.pause",
    "key.resume",
    "key.revoke",
    "token.create",
    "token.revoke",
    "webhook.create",
    "webhook.delete",
    "webhook.rotate",
    "webhook.test",
    "webhook.resend",
  ],
  billing: [
    "account.credit",
    "account.debit",
    "topup.start",
    "topup.cancel",
    "topup.paid",
    "topup.adjust",
    "topup.refund",
    "topup.refund_refused",
    "auto_topup.on",
    "auto_topup.off",
    "auto_topup.charge",
    "auto_topup.pause",
    "auto_topup.resume",
    "card.save",
    "card.remove",
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

/** Returns the public id in a subject, or null. An operator's note may follow the id, and the account must not read it. */
const idOf = (subject: string | null): string | null =>
  /^(?:key|top|ses|tok|usr|inv)_[0-9a-z]{26}(?= |$)/.exec(subject ?? "")?.[0] ?? null

/** Returns the names of the account's keys by UUID, with their endings where two have the same, when a line is about a key. */
async function keyNames(accountId: string, lines: Row[]): Promise<ReadonlyMap<string, string>> {
  if (!lines.some(({ subject }) => parsePublicId("key", subject ?? ""))) return new Map()
  const { rows } = await runtime().pool.query<{ id: string; name: string; masked: string | null }>(
    "SELECT id, name, masked FROM api_key WHERE account_id = $1",
    [accountId],
  )
  return labelKeys(rows)
}

/** Returns the addresses of the members and invitations that lines are about, by UUID. An invitation of long ago has none. */
async function people(accountId: string, lines: Row[]): Promise<Map<string, string>> {
  const idsOf = (prefix: "usr" | "inv") =>
    lines.map(({ subject }) => parsePublicId(prefix, subject ?? "")).filter((id) => id !== null)
  const [users, invitations] = [idsOf("usr"), idsOf("inv")]
  if (users.length + invitations.length === 0) return new Map()
  const { rows } = await runtime().pool.query<{ id: string; email: string }>(
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
export async function listAudit(actor: UserActor, input: ListAuditInput = {}): Promise<AuditPage> {
  requireRight(actor, "audit.read")
  const { topic, before } = parseInput(ListAuditInput, input)
  const actions = topic === "all" ? null : ACTIONS[topic]
  const { rows } = await runtime().pool.query<Row>(SELECT, [actor.accountId, before ?? LAST, actions, PAGE + 1])
  const page = rows.slice(0, PAGE)
  const [names, persons] = await Promise.all([keyNames(actor.accountId, page), people(actor.accountId, page)])
  return {
    lines: page.map((row) => auditLine(row, names, persons)),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  }
}

const SENTENCES: Record<string, string> = {
  "account.create": "Created the account",
  "account.rename": "Renamed the account",
  "account.credit": "Added credit",
  "account.debit": "Subtracted credit",
  "account.limits": "Changed the rate limits",
  "account.warn_at": "Changed the balance at which it warns",
  "account.suspend": "Suspended the account",
  "account.resume": "Resumed the account",
  "account.close": "Closed the account",
  "account.export": "Exported the account's data",
  "user.delete": "Deleted their own user",
  "user.email_ask": "Requested a change of their e-mail address",
  "user.email_cancel": "Cancelled the change of their e-mail address",
  "user.email": "Changed their e-mail address",
  "member.invite": "Invited a person",
  "member.resend": "Sent an invitation again",
  "member.revoke": "Revoked an invitation",
  "member.join": "Joined the account",
  "member.role": "Changed the role of a member",
  "member.transfer": "Transferred the ownership",
  "member.remove": "Removed a member",
  "member.leave": "Left the account",
  "session.create": "Signed in",
  "session.confirm": "Confirmed a session by e-mail",
  "session.end": "Ended a session",
  "key.create": "Created a key",
  "key.change": "Changed the name or note of a key",
  "key.pause": "Paused a key",
  "key.resume": "Resumed a key",
  "key.revoke": "Revoked a key",
  "token.create": "Created an account token",
  "token.revoke": "Revoked an account token",
  "webhook.create": "Added a webhook",
  "webhook.delete": "Deleted a webhook",
  "webhook.rotate": "Replaced the secret of a webhook",
  "webhook.test": "Sent a test to a webhook",
  "webhook.resend": "Sent a webhook message again",
  "topup.start": "Started a top-up",
  "topup.cancel": "Requested the cancellation of a checkout",
  "topup.paid": "Added the credit of a paid top-up",
  "topup.adjust": "Adjusted the balance for a refund or dispute",
  "topup.refund": "Requested the refund of a top-up",
  "topup.refund_refused": "The refund of a top-up was refused",
  "topup.refresh": "Checked a top-up with Stripe",
  "topup.reconcile": "Checked all payments with Stripe",
  "auto_topup.on": "Turned automatic top-up on or changed it",
  "auto_topup.off": "Turned automatic top-up off",
  "auto_topup.charge": "Started an automatic top-up",
  "auto_topup.pause": "Paused automatic top-up",
  "auto_topup.resume": "Resumed automatic top-up",
  "card.save": "Saved a card",
  "card.remove": "Removed the saved card",
  "ledger.verify": "Requested a check of the ledger",
  "model.add": "Added a model",
  "model.price": "Set the price of a model",
  "model.limits": "Set the limits of a model",
  "model.retire": "Retired a model",
  "model.alias": "Moved the alias",
  "model.announce": "Announced a move of the alias",
  "mail.resend": "Sent a queued mail again",
}

const KEY_VERBS: Record<string, string> = {
  "key.create": "Created",
  "key.change": "Changed the name or note of",
  "key.pause": "Paused",
  "key.resume": "Resumed",
  "key.revoke": "Revoked",
}

/** Describes an action in one sentence, without what it changed. */
export const describeAction = (action: string): string => SENTENCES[action] ?? action

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
