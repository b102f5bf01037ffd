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
import type { Runtime } from "@/lib/server/platform/runtime"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"

const USER = `
  SELECT created_at AS "createdAt", past_emails AS "pastEmails",
    ARRAY(SELECT seen_at FROM known_browser WHERE user_id = app_user.id ORDER BY seen_at) AS "browsersLastSeenAt"
  FROM app_user WHERE id = $1`

interface UserRow {
  createdAt: Date
  pastEmails: string[]
  browsersLastSeenAt: Date[]
}

async function ofUser(runtime: Runtime, actor: UserActor) {
  const { userId } = actor
  const [{ rows }, accounts, sessions, emailChange] = await Promise.all([
    runtime.pool.query<UserRow>(USER, [userId]),
    listOwnAccounts(runtime, actor),
    listSessions(runtime, actor),
    findEmailChange(runtime, actor),
  ])
  return {
    id: publicId("usr", userId),
    email: actor.email,
    ...rows[0],
    emailChange,
    accounts,
    sessions,
  }
}

const INVITATIONS = `
  SELECT i.id, i.email, i.role, u.email AS "invitedBy", i.sent_at AS "sentAt", i.expires_at AS "expiresAt",
    i.accepted_at AS "acceptedAt", i.revoked_at AS "revokedAt"
  FROM invitation i JOIN app_user u ON u.id = i.invited_by WHERE i.account_id = $1 ORDER BY i.id`

async function listAllInvitations({ pool }: Runtime, { accountId }: UserActor) {
  const { rows } = await pool.query<{ id: string }>(INVITATIONS, [accountId])
  return rows.map((row) => ({ ...row, id: publicId("inv", row.id) }))
}

const ALIASES = `SELECT alias_id AS alias, last_used_at AS "lastUsedAt" FROM alias_use WHERE account_id = $1 ORDER BY 1`

const ACCOUNT = `
  SELECT status, created_at AS "createdAt", stripe_customer_id AS "stripeCustomerId",
    (SELECT entered_at FROM saved_card WHERE account_id = account.id AND removed_at IS NULL LIMIT 1) AS "cardSavedAt"
  FROM account WHERE id = $1`

interface AccountRow {
  status: string
  createdAt: Date
  stripeCustomerId: string | null
  cardSavedAt: Date | null
}

async function readRow({ pool }: Runtime, { accountId }: UserActor) {
  const [account, aliases] = await Promise.all([
    pool.query<AccountRow>(ACCOUNT, [accountId]),
    pool.query(ALIASES, [accountId]),
  ])
  const { cardSavedAt = null, ...row } = account.rows[0] ?? {}
  return { ...row, cardSavedAt, aliases: aliases.rows }
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
