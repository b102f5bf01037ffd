import Form from "next/form"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Fact, Facts } from "@/components/ui/fact"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { Paging } from "@/components/ui/paging"
import { SearchInput } from "@/components/ui/search-input"
import { type AccountTotals, getAccountTotals } from "@/lib/server/accounts/account-totals"
import { listAccounts } from "@/lib/server/accounts/list-accounts"
import { requireOperator } from "@/lib/server/auth/operator"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf, formatCount } from "@/lib/shared/format"
import { usd12 } from "@/lib/shared/money"
import { AccountsView } from "@/lib/shared/operator/search"
import { viewHref } from "@/lib/shared/view-href"
import { operatorTitle } from "../_components/operator-title"
import { type ShowLink, ShowLinks } from "../_components/show-links"
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

export default async function AccountsPage({ searchParams }: PageProps<"/operator/accounts">) {
  const operator = await requireOperator(PATH)
  const view = AccountsView.parse(await searchParams)
  const [{ accounts, next }, totals] = await Promise.all([
    listAccounts(runtime(), operator, { limit: PAGE, ...view }),
    getAccountTotals(runtime(), operator),
  ])
  const isNarrowed = view.q !== "" || view.show !== "all" || view.after !== null
  return (
    <>
      <PageHeader title="Accounts">
        Find an account, see what it spends, and open it to add credit, set its rate limits or suspend it.
      </PageHeader>
      <div className="flex flex-col gap-4">
        <Totals totals={totals} />
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <ShowLinks label="Filter accounts" path={PATH} view={view} links={LINKS} />
          <ListSearch view={view} />
        </div>
        <AccountTable accounts={accounts} empty={isNarrowed ? NO_MATCH : NONE} />
        <Paging of="accounts" page={view.after} next={next} hrefOf={(after) => viewHref(PATH, { ...view, after })} />
      </div>
    </>
  )
}

const NONE = (
  <EmptyState title="No accounts yet">Accounts appear here when people sign in for the first time.</EmptyState>
)

const NO_MATCH = (
  <EmptyState
    title="No matching accounts"
    action={
      <LinkButton href={PATH} variant="secondary">
        Show all accounts
      </LinkButton>
    }
  >
    Search for the start of an e-mail address or of an account&rsquo;s name, or for a whole domain. You can also search
    for a key as lists show it, such as svcd_AbCd, or for the id of an account, key, request or payment.
  </EmptyState>
)

/** Searches the accounts. It only navigates, so it is a native form and works without JavaScript. */
function ListSearch({ view: { q, show } }: { view: AccountsView }) {
  return (
    <search className="w-full sm:w-96">
      <Form action={PATH} scroll={false} prefetch={false} className="flex gap-2">
        {show === "all" ? null : <input type="hidden" name="show" value={show} />}
        <SearchInput
          key={q}
          name="q"
          aria-label="Find an account"
          defaultValue={q}
          placeholder="E-mail, name, key or any id"
          maxLength={254}
          autoCapitalize="none"
          boxClassName="flex-1"
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
    </search>
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
        <Money as="balance" usd={usd12(balancePico)} />
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
