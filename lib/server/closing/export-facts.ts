import { accountName, listOwnAccounts } from "@/lib/server/accounts/account-name"
import { listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { getAccount } from "@/lib/server/accounts/get-account"
import { readMailSettings } from "@/lib/server/accounts/mail-settings"
import { findEmailChange } from "@/lib/server/auth/change-email"
import { listSessions } from "@/lib/server/auth/sessions"
import { getAutoTopup } from "@/lib/server/billing/auto-topup"
import { getBalance } from "@/lib/server/billing/balance"
import { readBillingDetails } from "@/lib/server/billing/billing-details"
import { listBudgets } from "@/lib/server/keys/budgets"
import { getKeyRules } from "@/lib/server/keys/key-rules"
import { listKeys } from "@/lib/server/keys/read-keys"
import { listMembers } from "@/lib/server/members/list-members"
import { findStay } from "@/lib/server/models/alias-stays"
import { keepsOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { listOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { takesPart } from "@/lib/server/shadows/refuse-shadows"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"

/** What a passkey shows of itself. */
export const PASSKEYS = {
  select: { name: true, createdAt: true, lastUsedAt: true },
  orderBy: { createdAt: "asc" },
} as const

async function ofUser(runtime: Runtime, actor: UserActor) {
  const { userId } = actor
  const seen = { select: { seenAt: true }, orderBy: { seenAt: "asc" } } as const
  const [row, accounts, sessions, emailChange] = await Promise.all([
    prisma(runtime).user.findUnique({
      where: { id: userId },
      include: { browsers: seen, identities: true, passkeys: PASSKEYS },
    }),
    listOwnAccounts(runtime, actor),
    listSessions(runtime, actor),
    findEmailChange(runtime, actor),
  ])
  return {
    id: publicId("usr", userId),
    email: actor.email,
    createdAt: row?.createdAt,
    pastEmails: row?.pastEmails,
    browsersLastSeenAt: row?.browsers.map(({ seenAt }) => seenAt),
    openIdPeople: row?.identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, createdAt })),
    passkeys: row?.passkeys,
    emailChange,
    accounts,
    sessions,
  }
}

async function listAllInvitations(runtime: Runtime, { accountId }: UserActor) {
  const invitations = await prisma(runtime).invitation.findMany({
    where: { accountId },
    omit: { accountId: true, createdAt: true },
    include: { inviter: { select: { email: true } } },
    orderBy: { id: "asc" },
  })
  return invitations.map(({ inviter, ...invitation }) => ({
    ...invitation,
    id: publicId("inv", invitation.id),
    invitedBy: inviter.email,
  }))
}

/** JSON has no bigint. */
const numbersAsText = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]),
  )

async function readRow(runtime: Runtime, actor: UserActor) {
  const { accountId } = actor
  const [
    account,
    aliases,
    billingDetails,
    keyRules,
    budgets,
    isKeepingOutcomes,
    outcomeAlarms,
    isComparing,
    stay,
    shadows,
    shadowQuestions,
  ] = await Promise.all([
    prisma(runtime).account.findUnique({
      where: { id: accountId },
      select: {
        status: true,
        createdAt: true,
        stripeCustomerId: true,
        cards: { where: { removedAt: null }, select: { enteredAt: true } },
      },
    }),
    prisma(runtime).aliasUse.findMany({ where: { accountId }, orderBy: { aliasId: "asc" } }),
    readBillingDetails(runtime, accountId),
    getKeyRules(runtime, actor),
    listBudgets(runtime, actor),
    keepsOutcomes(runtime, accountId),
    listOutcomeAlarms(runtime, actor),
    takesPart(runtime, accountId),
    findStay(runtime, accountId),
    prisma(runtime).shadowAccount.findMany({
      where: { accountId },
      omit: { accountId: true, shadowId: true },
      include: { shadow: { select: { aliasId: true, toId: true, startedAt: true } } },
      orderBy: { shadowId: "asc" },
    }),
    prisma(runtime).shadowQuestion.findMany({
      where: { accountId },
      omit: { accountId: true, shadowId: true },
      include: { shadow: { select: { toId: true, startedAt: true } } },
      orderBy: [{ shadowId: "asc" }, { type: "asc" }, { options: "asc" }],
    }),
  ])
  const { cards = [], ...row } = account ?? {}
  return {
    ...row,
    billingDetails,
    keyRules,
    budgets,
    keepsOutcomes: isKeepingOutcomes,
    outcomeAlarms,
    comparesNewModels: isComparing,
    staysOnEarlierModel: stay,
    shadows: shadows.map(numbersAsText),
    shadowQuestions: shadowQuestions.map(numbersAsText),
    cardSavedAt: cards[0]?.enteredAt ?? null,
    aliases: aliases.map(({ aliasId: alias, lastUsedAt }) => ({ alias, lastUsedAt })),
  }
}

/** Returns the facts of the actor's account and of the actor that need no file of their own. It has no secret. Needs `account.export`. */
export async function readExportFacts(runtime: Runtime, actor: UserActor): Promise<object> {
  requireRight(actor, "account.export")
  const [facts, name, row, balance, mail, members, invitations, keys, tokens, autoTopup, webhooks, user] =
    await Promise.all([
      getAccount(runtime, actor),
      accountName(runtime, actor.accountId),
      readRow(runtime, actor),
      getBalance(runtime, actor),
      readMailSettings(runtime, actor),
      listMembers(runtime, actor),
      listAllInvitations(runtime, actor),
      listKeys(runtime, actor),
      listAccountTokens(runtime, actor),
      getAutoTopup(runtime, actor),
      listEndpoints(runtime, actor),
      ofUser(runtime, actor),
    ])
  const { cardSavedAt, ...account } = row
  const automatic = { ...autoTopup, card: autoTopup.card && { ...autoTopup.card, savedAt: cardSavedAt } }
  return {
    ...facts,
    name,
    ...account,
    ...balance,
    mail,
    autoTopup: automatic,
    webhooks,
    members,
    invitations,
    keys,
    tokens,
    user,
  }
}
