import { accountName, listOwnAccounts } from "@/lib/server/accounts/account-name"
import { listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { getAccount } from "@/lib/server/accounts/get-account"
import { readMailSettings } from "@/lib/server/accounts/mail-settings"
import { findEmailChange } from "@/lib/server/auth/change-email"
import { listSessions } from "@/lib/server/auth/sessions"
import { getAutoTopup } from "@/lib/server/billing/auto-topup"
import { getBalance } from "@/lib/server/billing/balance"
import { listKeys } from "@/lib/server/keys/read-keys"
import { listMembers } from "@/lib/server/members/list-members"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"

async function ofUser(actor: UserActor) {
  const { userId } = actor
  const [user, browsers, accounts, sessions, emailChange] = await Promise.all([
    runtime().prisma.user.findUniqueOrThrow({ where: { id: userId }, select: { createdAt: true, pastEmails: true } }),
    runtime().prisma.knownBrowser.findMany({ where: { userId }, select: { seenAt: true }, orderBy: { seenAt: "asc" } }),
    listOwnAccounts(actor),
    listSessions(actor),
    findEmailChange(actor),
  ])
  return {
    id: publicId("usr", userId),
    email: actor.email,
    pastEmails: user.pastEmails,
    createdAt: user.createdAt,
    emailChange,
    accounts,
    sessions,
    browsersLastSeenAt: browsers.map(({ seenAt }) => seenAt),
  }
}

const INVITATIONS = `
  SELECT i.id, i.email, i.role, u.email AS "invitedBy", i.sent_at AS "sentAt", i.expires_at AS "expiresAt",
    i.accepted_at AS "acceptedAt", i.revoked_at AS "revokedAt"
  FROM invitation i JOIN app_user u ON u.id = i.invited_by WHERE i.account_id = $1 ORDER BY i.id`

async function listAllInvitations({ accountId }: UserActor) {
  const { rows } = await runtime().pool.query<{ id: string }>(INVITATIONS, [accountId])
  return rows.map((row) => ({ ...row, id: publicId("inv", row.id) }))
}

const ALIASES = `SELECT alias_id AS alias, last_used_at AS "lastUsedAt" FROM alias_use WHERE account_id = $1 ORDER BY 1`

async function readRow({ accountId }: UserActor) {
  const [account, card, aliases] = await Promise.all([
    runtime().prisma.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { status: true, createdAt: true, stripeCustomerId: true },
    }),
    runtime().prisma.savedCard.findFirst({ where: { accountId, removedAt: null }, select: { enteredAt: true } }),
    runtime().pool.query(ALIASES, [accountId]),
  ])
  return { ...account, cardSavedAt: card?.enteredAt ?? null, aliases: aliases.rows }
}

/** Returns the facts of the actor's account and of the actor that need no file of their own. It has no secret. Needs `account.export`. */
export async function readExportFacts(actor: UserActor): Promise<object> {
  requireRight(actor, "account.export")
  const [facts, name, row, balance, mail, members, invitations, keys, tokens, autoTopup, webhooks, user] =
    await Promise.all([
      getAccount(actor),
      accountName(actor.accountId),
      readRow(actor),
      getBalance(actor),
      readMailSettings(actor),
      listMembers(actor),
      listAllInvitations(actor),
      listKeys(actor),
      listAccountTokens(actor),
      getAutoTopup(actor),
      listEndpoints(actor),
      ofUser(actor),
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
