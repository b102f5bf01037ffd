import type { Metadata } from "next"
import { cookies } from "next/headers"
import { Support } from "@/components/site/support"
import { CopyButton } from "@/components/ui/copy-button"
import { Later } from "@/components/ui/later"
import { LinkButton } from "@/components/ui/link-button"
import { accountName } from "@/lib/server/accounts/account-name"
import { listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { getAccount } from "@/lib/server/accounts/get-account"
import { readMailSettings } from "@/lib/server/accounts/mail-settings"
import { findEmailChange } from "@/lib/server/auth/change-email"
import { downloadPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { listSessions } from "@/lib/server/auth/sessions"
import { getBalance } from "@/lib/server/billing/balance"
import { getBillingDetails } from "@/lib/server/billing/billing-details"
import { listOwnedAlone } from "@/lib/server/closing/delete-user"
import { getKeyRules } from "@/lib/server/keys/key-rules"
import { listKeys } from "@/lib/server/keys/read-keys"
import { listCreations } from "@/lib/server/members/creations"
import { listMembers } from "@/lib/server/members/list-members"
import { getOutcomeSwitch } from "@/lib/server/outcomes/keep-outcomes"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { getTakingPart } from "@/lib/server/shadows/refuse-shadows"
import { ROLES } from "@/lib/shared/accounts/roles"
import { TOKEN_DAYS } from "@/lib/shared/accounts/schema"
import { THEME_COOKIE, themeOf } from "@/lib/shared/preferences"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { ThemeChoice } from "../../_components/theme/theme-choice"
import { AccountName, AddAccount, LeaveAccount } from "../_components/account-settings"
import { BalanceWarning } from "../_components/balance-warning"
import { BillingDetails } from "../_components/billing-details"
import { CloseAccount, DeleteUser, ExportData } from "../_components/closing-settings"
import { EmailSettings } from "../_components/email-settings"
import { KeepOutcomes } from "../_components/keep-outcomes"
import { KeyRules } from "../_components/key-rules"
import { RateLimits } from "../_components/rate-limits"
import { SessionList } from "../_components/session-list"
import { Setting } from "../_components/setting"
import { TakePart } from "../_components/take-part"
import { TokenSettings } from "../_components/token-settings"

export const metadata: Metadata = { title: "Settings" }

/** Reads what the user has to know before closing the account or deleting the user. */
async function readLeaving(actor: UserActor) {
  const [{ balanceUsd }, keys, owned] = await Promise.all([
    getBalance(runtime(), actor),
    listKeys(runtime(), actor),
    listOwnedAlone(runtime(), actor),
  ])
  const keyCount = keys.filter(({ kind, revokedAt }) => kind === "secret" && revokedAt === null).length
  return { balanceUsd, keyCount, owned }
}

export default async function SettingsPage() {
  const actor = await requireSession("/settings")
  const mayManageTokens = hasRight(actor, "tokens.manage")
  const [
    account,
    name,
    rules,
    details,
    sessions,
    creations,
    members,
    mailSettings,
    accountTokens,
    pendingEmail,
    leaving,
    outcomes,
    comparison,
  ] = await Promise.all([
    getAccount(runtime(), actor),
    accountName(runtime(), actor.accountId),
    getKeyRules(runtime(), actor),
    hasRight(actor, "billing.pay") ? getBillingDetails(runtime(), actor) : null,
    listSessions(runtime(), actor),
    listCreations(runtime(), actor),
    listMembers(runtime(), actor),
    readMailSettings(runtime(), actor),
    mayManageTokens ? listAccountTokens(runtime(), actor) : [],
    findEmailChange(runtime(), actor),
    readLeaving(actor),
    hasRight(actor, "account.manage") ? getOutcomeSwitch(runtime(), actor) : null,
    hasRight(actor, "account.manage") ? getTakingPart(runtime(), actor) : null,
  ])
  const ownCard = members.find(({ isYou }) => isYou)?.card ?? "none"
  const isOnlyOwner = actor.role === "owner" && members.filter(({ role }) => role === "owner").length === 1
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  return (
    <>
      <Setting id="e-mail" title="E-mail" hint="Sign-in links go to this address.">
        <EmailSettings email={actor.email} pending={pendingEmail} />
      </Setting>
      <Setting
        id="account"
        title="Account"
        hint={
          <>
            Give <Support /> this id when you ask for help.
          </>
        }
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="break-all font-mono text-sm">{account.id}</span>
          <CopyButton text={account.id} size="sm" ariaLabel="Copy the account id" />
        </p>
        <p className="mt-1 text-ink-muted text-sm">
          You are {ROLES[account.role].noun} of this account. {ROLES[account.role].allows}
        </p>
      </Setting>
      {hasRight(actor, "account.manage") ? (
        <Setting
          id="account-name"
          title="Account name"
          hint="Members and invited people see this name. It cannot look like a web or e-mail address."
        >
          <AccountName name={name} />
        </Setting>
      ) : null}
      <Setting
        id="accounts"
        title="More accounts"
        hint="Add one for a team, a client or tests. Each has its own keys, members, balance and statements. You switch between them in the account menu."
      >
        <AddAccount />
      </Setting>
      {hasRight(actor, "account.manage") ? (
        <Setting
          id="key-rules"
          title="Limits of new keys"
          hint="A key's spend limit is chosen when it is created, and never changes. Keys that exist keep theirs."
        >
          <KeyRules rules={rules} />
        </Setting>
      ) : null}
      {details ? (
        <Setting
          id="billing-details"
          title="Billing details"
          hint="Statements name them, and so do the invoices that Stripe makes for later payments."
        >
          <BillingDetails details={details} />
        </Setting>
      ) : null}
      <RateLimits account={account} />
      <Setting id="theme" title="Theme" hint="Saved in this browser.">
        <ThemeChoice saved={theme} />
      </Setting>
      <Later>
        {mailSettings.mails.length > 0 ? (
          <Setting
            id="mails"
            title="Alerts"
            hint="Which e-mails this account sends you, and what goes to webhooks and Slack."
          >
            <LinkButton href="/webhooks" variant="secondary">
              Choose alerts
            </LinkButton>
          </Setting>
        ) : null}
        {mailSettings.warning ? (
          <Setting
            id="balance-warning"
            title="Balance warning"
            hint="The amount below which the balance counts as low."
          >
            <BalanceWarning warning={mailSettings.warning} />
          </Setting>
        ) : null}
        {hasRight(actor, "audit.read") ? (
          <Setting
            id="audit-log"
            title="Audit log"
            hint="A record of sign-ins, and of changes to the account, its members, keys and billing. Nobody can edit it."
          >
            <LinkButton href="/settings/audit" variant="secondary">
              Open audit log
            </LinkButton>
          </Setting>
        ) : null}
        {outcomes ? (
          <Setting
            id="outcomes"
            title="Outcomes"
            hint="Your programs report what really happened with answers, as numbers. No text is sent or kept."
          >
            <KeepOutcomes isOn={outcomes.isOn} days={runtime().env.RETENTION_DAYS} />
          </Setting>
        ) : null}
        {comparison ? (
          <Setting
            id="new-models"
            title="New models"
            hint="Before the alias moves to a new model, the operator can also ask that model what a share of your requests asks."
          >
            <TakePart takesPart={comparison.takesPart} />
          </Setting>
        ) : null}
        {mayManageTokens ? (
          <TokenSettings tokens={accountTokens} expiryDay={dayOf(new Date(Date.now() + TOKEN_DAYS * DAY_MS))} />
        ) : null}
        {members.length > 1 ? (
          <Setting id="leave-account" title="Leave account" hint="You keep your sign-in and your other accounts.">
            <LeaveAccount name={name} isOnlyOwner={isOnlyOwner} card={ownCard} />
          </Setting>
        ) : null}
        <SessionList
          sessions={sessions}
          ownCreations={creations.filter(({ createdBy }) => createdBy.email === actor.email)}
        />
        {hasRight(actor, "account.export") ? (
          <ExportData href={downloadPath(actor.accountId, "/settings/export.zip")} />
        ) : null}
        {hasRight(actor, "account.close") ? (
          <CloseAccount
            name={name}
            balanceUsd={leaving.balanceUsd}
            keyCount={leaving.keyCount}
            otherMembers={members.length - 1}
          />
        ) : null}
        <DeleteUser email={actor.email} owned={leaving.owned} />
      </Later>
    </>
  )
}
