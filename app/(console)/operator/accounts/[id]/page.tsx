import { CopyButton } from "@/components/ui/copy-button"
import { Fact, Facts } from "@/components/ui/fact"
import { Money } from "@/components/ui/money"
import { BackLink } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { listAccountTokens } from "@/lib/server/accounts/account-tokens"
import { type AccountOverview, getAccountOverview } from "@/lib/server/accounts/get-account"
import { getStay } from "@/lib/server/models/alias-stays"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorHas } from "@/lib/shared/accounts/roles"
import { formatCount, formatDateTime } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { Stay } from "@/lib/shared/models/stay"
import { usd12 } from "@/lib/shared/money"
import { viewHref } from "@/lib/shared/view-href"
import { TokenTable } from "../../../settings/_components/tokens-view"
import { lookAt } from "../../_components/look-at"
import { operatorTitle } from "../../_components/operator-title"
import { AccountBadge } from "../_components/account-table"
import { AccountActions, type MayAct } from "./_components/account-actions"

export const generateMetadata = () => operatorTitle("Account")

export default async function AccountPage({ params }: PageProps<"/operator/accounts/[id]">) {
  const actor = await lookAt("/", params)
  const [account, tokens, { stay }] = await Promise.all([
    getAccountOverview(runtime(), actor),
    listAccountTokens(runtime(), actor),
    getStay(runtime(), actor),
  ])
  return (
    <>
      <AccountHead
        account={account}
        may={{
          finance: operatorHas(actor.role, "service.finance"),
          operate: operatorHas(actor.role, "service.operate"),
        }}
      />
      <div className="flex flex-col gap-8">
        <AccountFacts account={account} stay={stay} />
        {tokens.length > 0 ? (
          <Section id="tokens" title="Account tokens">
            <TokenTable tokens={tokens} />
          </Section>
        ) : null}
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          <TextLink alone href={viewHref("/operator/payments", { account: account.id })}>
            Payments of this account
          </TextLink>
          <TextLink alone href={viewHref("/operator/mail", { account: account.id })}>
            Mails of this account
          </TextLink>
          <TextLink alone href={viewHref("/operator/audit", { account: account.id })}>
            Audit log of this account
          </TextLink>
        </p>
      </div>
    </>
  )
}

function AccountHead({ account, may }: { account: AccountOverview; may: MayAct }) {
  const { id, name, email, status, balancePico, requestsPerSecond, requestsPerSecondPerKey } = account
  return (
    <header className="flex flex-col gap-4 pb-6">
      <div>
        <BackLink href="/operator/accounts">Accounts</BackLink>
        <h1 className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-xl">
          <span className="wrap-anywhere min-w-0">{email || id}</span>
          <AccountBadge status={status} />
        </h1>
        {name === null ? null : <p className="wrap-anywhere mt-1 text-ink-muted">{name}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-muted">
          <span className="break-all font-mono text-sm">{id}</span>
          <CopyButton text={id} size="sm" variant="quiet" ariaLabel="Copy the account id" />
        </p>
      </div>
      <AccountActions
        may={may}
        account={{
          id,
          email: email || id,
          status,
          balanceUsd: usd12(balancePico),
          requestsPerSecond,
          requestsPerSecondPerKey,
        }}
      />
    </header>
  )
}

function AccountFacts({ account, stay }: { account: AccountOverview; stay: Stay | null }) {
  return (
    <Facts label="Account">
      <Fact
        label="Balance"
        hint={
          account.heldPico > 0n ? (
            <>
              <Money usd={usd12(account.heldPico)} /> of it is reserved
            </>
          ) : null
        }
      >
        <Money as="balance" usd={usd12(account.balancePico)} />
      </Fact>
      <Fact label="Spent in 30 days">
        <Money usd={usd12(account.spentPico)} />
      </Fact>
      <Fact label="Requests per second" hint={`${formatCount(account.requestsPerSecondPerKey)} for each key`}>
        {formatCount(account.requestsPerSecond)}
      </Fact>
      <Fact label="Created (UTC)">
        <Time at={account.createdAt} as="minute" />
      </Fact>
      {stay ? (
        <Fact label={`${ALIAS} stays on`} hint={`until ${formatDateTime(new Date(stay.until))} (UTC)`}>
          <span className="wrap-anywhere font-mono text-sm">{stay.model}</span>
        </Fact>
      ) : null}
    </Facts>
  )
}
