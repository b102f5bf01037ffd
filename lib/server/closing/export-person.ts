import { recordAudit } from "@/lib/server/audit/record-audit"
import { type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { ActForPersonInput } from "./act-for-person"
import { PASSKEYS } from "./export-facts"
import { readPerson } from "./find-person"

const named = (account: { id: string; name: string | null }) => ({
  account: publicId("acc", account.id),
  name: account.name,
})
const ACCOUNT = { select: { id: true, name: true } } as const

/** Returns what is stored about a user by UUID, without secrets. */
async function readFacts(runtime: Runtime, userId: string) {
  const db = prisma(runtime)
  const [user, sessions, members, emailChange] = await Promise.all([
    db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        email: true,
        createdAt: true,
        emailVerifiedAt: true,
        pastEmails: true,
        browsers: { select: { seenAt: true }, orderBy: { seenAt: "asc" } },
        identities: { select: { issuer: true, subject: true, createdAt: true } },
        passkeys: PASSKEYS,
      },
    }),
    db.session.findMany({
      where: { userId },
      select: { browser: true, clientAddress: true, createdAt: true, lastSeenAt: true, expiresAt: true },
      orderBy: { createdAt: "asc" },
    }),
    db.member.findMany({
      where: { userId },
      select: { role: true, createdAt: true, mutedMail: true, account: ACCOUNT },
      orderBy: { createdAt: "asc" },
    }),
    db.emailChange.findMany({ where: { userId }, select: { newEmail: true } }),
  ])
  const { browsers, identities, ...facts } = user
  return {
    id: publicId("usr", userId),
    ...facts,
    browsersLastSeenAt: browsers.map(({ seenAt }) => seenAt),
    openIdPeople: identities,
    requestedEmails: emailChange.map(({ newEmail }) => newEmail),
    sessions,
    memberships: members.map(({ account, createdAt, ...member }) => ({
      ...named(account),
      ...member,
      joinedAt: createdAt,
    })),
  }
}

/** Returns what the service keeps of what a person did, and what names the person's address. */
async function readRecords(runtime: Runtime, userId: string, email: string) {
  const db = prisma(runtime)
  const [audit, operated, invitations, topups, mails, operator] = await Promise.all([
    db.auditEvent.findMany({
      where: { actor: `user:${userId}` },
      select: { createdAt: true, action: true, subject: true, detail: true, clientAddress: true, accountId: true },
      orderBy: { id: "asc" },
    }),
    // Notes and subjects of an operator's changes are about other people.
    db.auditEvent.findMany({
      where: { actor: `operator:${userId}` },
      select: { createdAt: true, action: true, clientAddress: true, accountId: true },
      orderBy: { id: "asc" },
    }),
    db.invitation.findMany({
      where: { email },
      select: { role: true, createdAt: true, expiresAt: true, account: ACCOUNT },
    }),
    db.topup.findMany({
      where: { userId },
      select: { id: true, createdAt: true, amountCents: true, status: true, accountId: true },
      orderBy: { id: "asc" },
    }),
    db.queuedMail.findMany({ where: { userId }, select: { kind: true, createdAt: true, sentAt: true } }),
    db.operator.findUnique({ where: { email }, select: { role: true, createdAt: true } }),
  ])
  const of = ({ accountId, ...row }: { accountId: string | null }) => ({
    ...row,
    account: accountId === null ? null : publicId("acc", accountId),
  })
  return {
    did: audit.map(of),
    didAsOperator: operated.map(of),
    invitations: invitations.map(({ account, ...invitation }) => ({ ...named(account), ...invitation })),
    topups: topups.map((topup) => ({ ...of(topup), id: publicId("top", topup.id) })),
    mails,
    operator,
  }
}

/**
 * Returns everything that is stored about a person, without secrets, as plain objects. What belongs to an account, such as its ledger,
 * is in the export of the account. For the operator. Throws `not_found`.
 */
export async function exportPerson(
  runtime: Runtime,
  operator: OperatorActor,
  { email, note }: ActForPersonInput,
): Promise<object> {
  requireRight(operator, "service.operate")
  const { id: userId } = await readPerson(runtime, email)
  await recordAudit(runtime.pool, operator, { action: "person.export", subject: `${publicId("usr", userId)} ${note}` })
  return { ...(await readFacts(runtime, userId)), ...(await readRecords(runtime, userId, email)) }
}
