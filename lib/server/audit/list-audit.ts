import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { PAGE_LIST } from "@/lib/shared/pages"
import type { AuditEvent } from "@/prisma/client/client"
import { auditActions, describeAction } from "./actions"
import { finalAuditId } from "./final-audit-id"
import { idOfSubject } from "./record-audit"
import type { AuditLine, AuditPage, ForwardInput, ListAuditInput } from "./schema"

const PAGE = 50

type Names = ReadonlyMap<string, string>

/** Returns the names of the account's keys by UUID, with their endings where two have the same, when a line is about a key. */
async function keyNames(runtime: Runtime, accountId: string, lines: AuditEvent[]): Promise<Names> {
  if (!lines.some(({ subject }) => parsePublicId("key", subject ?? ""))) return new Map()
  return labelKeys(
    await prisma(runtime).apiKey.findMany({ where: { accountId }, select: { id: true, name: true, masked: true } }),
  )
}

const userOf = ({ actor }: AuditEvent): string | null => /^user:([0-9a-f-]{36})$/.exec(actor)?.[1] ?? null

/**
 * Returns the addresses of the users who acted, and of the members and invitations that lines are about, by UUID. An invitation of
 * long ago has none.
 */
async function people(runtime: Runtime, accountId: string, lines: AuditEvent[]): Promise<Names> {
  const subjects = (prefix: "usr" | "inv") => lines.map(({ subject }) => parsePublicId(prefix, subject ?? ""))
  const among = (ids: (string | null)[]) => ({ in: [...new Set(ids)].filter((id) => id !== null) })
  const select = { id: true, email: true }
  const [users, invitations] = await Promise.all([
    prisma(runtime).user.findMany({ where: { id: among([...lines.map(userOf), ...subjects("usr")]) }, select }),
    prisma(runtime).invitation.findMany({ where: { accountId, id: among(subjects("inv")) }, select }),
  ])
  return new Map([...users, ...invitations].map(({ id, email }) => [id, email]))
}

const tokenOf = ({ actor }: AuditEvent): string | null => /^token:([0-9a-f-]{36})$/.exec(actor)?.[1] ?? null

/** Returns the names of the account's tokens that acted, by UUID. One that was revoked has none. */
async function tokenNames(runtime: Runtime, accountId: string, lines: AuditEvent[]): Promise<Names> {
  const ids = [...new Set(lines.map(tokenOf))].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const where = { accountId, id: { in: ids } }
  const tokens = await prisma(runtime).accountToken.findMany({ where, select: { id: true, name: true } })
  return new Map(tokens.map(({ id, name }) => [id, name]))
}

/** Returns what an account token is called in the audit log. */
const tokenName = (name: string | undefined): string =>
  name === undefined ? "An account token that was revoked" : `The account token “${name}”`

const isOperator = ({ actor }: AuditEvent): boolean => actor.startsWith("operator")

interface NamesOf {
  keys: Names
  persons: Names
  tokens: Names
}

function nameOfActor(row: AuditEvent, { persons, tokens }: NamesOf): string {
  const token = tokenOf(row)
  if (token !== null) return tokenName(tokens.get(token))
  if (row.actor === "provider") return "The OpenID provider"
  return persons.get(userOf(row) ?? "") ?? (isOperator(row) ? "Operator" : "The service")
}

function auditLine(row: AuditEvent, names: NamesOf): AuditLine {
  const person = parsePublicId("usr", row.subject ?? "") ?? parsePublicId("inv", row.subject ?? "")
  return {
    id: String(row.id),
    at: row.createdAt.toISOString(),
    action: row.action,
    subject: idOfSubject(row.subject),
    keyName: names.keys.get(parsePublicId("key", row.subject ?? "") ?? "") ?? null,
    person: names.persons.get(person ?? "") ?? null,
    detail: row.detail,
    by: nameOfActor(row, names),
    // Members of the account must not see the operator's address.
    clientAddress: isOperator(row) ? null : row.clientAddress,
  }
}

/** What operators viewed is always recorded, and shown to the account unless `OPERATOR_LOOKS` hides it. */
const hiddenActions = ({ env }: Runtime): string[] => (env.OPERATOR_LOOKS === "hidden" ? ["account.look"] : [])

async function linesOf(runtime: Runtime, { accountId }: AccountActor, rows: AuditEvent[]): Promise<AuditLine[]> {
  const [keys, persons, tokens] = await Promise.all([
    keyNames(runtime, accountId, rows),
    people(runtime, accountId, rows),
    tokenNames(runtime, accountId, rows),
  ])
  return rows.map((row) => auditLine(row, { keys, persons, tokens }))
}

/** Returns a page of 50 audit rows of the actor's account, newest first. */
export async function listAudit(
  runtime: Runtime,
  actor: AccountActor,
  { topic = "all", before = null }: Partial<ListAuditInput> = {},
): Promise<AuditPage> {
  requireRight(actor, "audit.read")
  const actions = topic === "all" ? undefined : auditActions((_action, of) => of === topic)
  const rows = await prisma(runtime).auditEvent.findMany({
    where: {
      accountId: actor.accountId,
      id: { lt: before ? BigInt(before) : undefined },
      action: { in: actions, notIn: hiddenActions(runtime) },
    },
    orderBy: { id: "desc" },
    take: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  return {
    lines: await linesOf(runtime, actor, page),
    next: rows.length > PAGE ? String(page.at(-1)?.id) : null,
  }
}

/**
 * Returns at most `limit` audit rows of the actor's account after an id, oldest first. A row that commits late is never passed: rows after
 * one that an open transaction can still add wait for it.
 */
export async function listAuditForward(
  runtime: Runtime,
  actor: AccountActor,
  { after = "0", limit = 1_000 }: Partial<ForwardInput> = {},
): Promise<AuditLine[]> {
  requireRight(actor, "audit.read")
  const final = await finalAuditId(runtime)
  const rows = await prisma(runtime).auditEvent.findMany({
    where: {
      accountId: actor.accountId,
      id: { gt: BigInt(after), lte: BigInt(final) },
      action: { notIn: hiddenActions(runtime) },
    },
    orderBy: { id: "asc" },
    take: limit,
  })
  return linesOf(runtime, actor, rows)
}

const KEY_VERBS: Record<string, string> = {
  "key.create": "Created",
  "key.change": "Changed the name, note or tags of",
  "key.pause": "Paused",
  "key.resume": "Resumed",
  "key.revoke": "Revoked",
}

const PERSON_SENTENCES: Record<string, (person: string, role: string) => string> = {
  "member.invite": (person, role) => `Invited ${person} as ${role}`,
  "member.resend": (person) => `Sent the invitation of ${person} again`,
  "member.revoke": (person) => `Revoked the invitation of ${person}`,
  "member.join": (_person, role) => `Joined the account as ${role}`,
  "member.add": (person, role) => `Added ${person} as ${role}`,
  "member.role": (person, role) => `Changed the role of ${person} to ${role}`,
  "member.offer": (person) => `Offered the ownership to ${person}`,
  "member.take_over": (person) => `Took over the ownership from ${person}`,
  "member.transfer": (person) => `Transferred the ownership to ${person}`,
  "member.remove": (person) => `Removed ${person}`,
  "budget.remove": (person, period) => `Removed the ${period} budget of ${person}`,
  "budget.set": (person, budget) => `Set the budget of ${person}: ${budget}`,
}

/** Returns the name of a page that an operator viewed. A page of a newer version is its own name. */
const pageName = (path: string | null): string => `“${PAGE_LIST.find((page) => page.path === path)?.label ?? path}”`

/** Describes an audit row of an account in one sentence. */
export function describeAudit({ action, keyName, person, detail }: AuditLine): string {
  if (person !== null && action in PERSON_SENTENCES) return PERSON_SENTENCES[action]?.(person, detail ?? "") ?? action
  const key = `the key “${keyName}”`
  const verb = KEY_VERBS[action]
  if (verb && keyName !== null) return `${verb} ${key}`
  if (action === "user.email" && detail) return `Changed their e-mail address from ${detail.replace(" ", " to ")}`
  if (action === "token.create" && detail) return `${describeAction(action)} with the scopes ${detail}`
  if (action === "session.create" && detail) return `Signed in with ${detail}`
  if (action === "budget.set" && detail) return `Set the budget of ${detail}`
  if (action === "budget.remove" && detail) return `Removed the budget of ${detail}`
  if (action === "record.sign" && detail) return `Had the record ${detail.slice(0, 16)}… signed`
  if (action === "account.look" && detail !== "/") return `Viewed the page ${pageName(detail)}`
  if (action === "topup.adjust") return `Adjusted the balance for a ${detail === "dispute" ? "dispute" : "refund"}`
  return describeAction(action)
}
