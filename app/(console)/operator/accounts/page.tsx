import { EmptyState } from "@/components/ui/empty-state"
import { Fact, Facts } from "@/components/ui/fact"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { type AccountTotals, getAccountTotals } from "@/lib/server/accounts/account-totals"
import { listAccounts } from "@/lib/server/accounts/list-accounts"
import { requireOperator } from "@/lib/server/auth/operator"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf, formatCount } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { AccountsView, viewHref } from "@/lib/shared/operator/search"
import { ListSearch, type ShowLink, ShowLinks } from "../_components/list-filters"
import { operatorTitle } from "../_components/operator-title"
import { Paging } from "../_components/paging"
import { AccountTable } from "./_components/account-table"

export const generateMetadata = () => operatorTitle("Accounts")

const PATH = "/operator/accounts"
const PAGE = 50

const LINKS: readonly ShowLink<AccountsView["show"]>[] = [
  { show: "all", label: "All" },
  { show: "active", label: "Active" },
  { show: "suspended", label: "Suspended" },
  { show: "closed", label: "Closed" },
  { show: "negative", label: "Below zero" },
]

interface AccountsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function AccountsPage({ searchParams }: AccountsPageProps) {
  const operator = await requireOperator(PATH)
  const view = AccountsView.parse(await searchParams)
  const [{ accounts, next }, totals] = await Promise.all([
    listAccounts(runtime(), operator, { limit: PAGE, ...view }),
    getAccountTotals(runtime(), operator),
  ])
  const isNarrowed = view.q !== "" || view.show !== "all"
  return (
    <>
      <PageHeader title="Accounts">
        Find an account, see what it spends, and open it to add credit, set its rate limits or suspend it.
      </PageHeader>
      <Totals totals={totals} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-6 pb-3">
        <ShowLinks label="Filter accounts" path={PATH} view={view} links={LINKS} />
        <ListSearch
          path={PATH}
          name="q"
          label="Find an account"
          value={view.q}
          show={view.show}
          placeholder="E-mail, account id or key id"
        />
      </div>
      {accounts.length > 0 ? (
        <AccountTable accounts={accounts} />
      ) : (
        <EmptyState
          title={isNarrowed || view.after ? "No matching accounts" : "No accounts yet"}
          action={
            isNarrowed || view.after ? (
              <LinkButton href={PATH} variant="secondary">
                Show all accounts
              </LinkButton>
            ) : null
          }
        >
          {isNarrowed || view.after
            ? "No account has this text in an e-mail address, or this id, with the chosen status."
            : "Accounts appear here when people sign in for the first time."}
        </EmptyState>
      )}
      <Paging
        of="accounts"
        first={view.after === null ? null : viewHref(PATH, { ...view, after: null })}
        next={next === null ? null : viewHref(PATH, { ...view, after: next })}
      />
    </>
  )
}

function Totals({ totals }: { totals: AccountTotals }) {
  const { accounts, active, suspended, closed, negative, balancePico, heldPico } = totals
  return (
    <Facts label="Totals">
      <Fact
        label="Accounts"
        hint={`${formatCount(active)} active, ${formatCount(suspended)} suspended, ${formatCount(closed)} closed`}
      >
        {formatCount(accounts)}
      </Fact>
      <Fact label="Credit of all accounts" hint="The sum of all balances">
        <Money usd={usd12(balancePico)} />
      </Fact>
      <Fact label="Reserved now" hint="For requests in progress">
        <Money usd={usd12(heldPico)} />
      </Fact>
      <Fact label="Below zero" hint="Their requests are refused">
        {countOf(negative, "account")}
      </Fact>
    </Facts>
  )
}
