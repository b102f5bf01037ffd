import type { ReactNode } from "react"
import { Alert } from "@/components/ui/alert"
import { Later } from "@/components/ui/later"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { getAutoTopup } from "@/lib/server/billing/auto-topup"
import { getBalance } from "@/lib/server/billing/balance"
import { listEntries } from "@/lib/server/billing/entries"
import { listMonths } from "@/lib/server/billing/months"
import { listTopups } from "@/lib/server/billing/topup"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { SearchParams } from "@/lib/server/usage/search"
import { refusalOf } from "@/lib/shared/accounts/roles"
import { ListEntriesInput } from "@/lib/shared/billing/schema"
import { AutoTopupSummary } from "./auto-topup-summary"
import { BalancePanel } from "./balance-panel"
import { LedgerTable } from "./ledger-table"
import { StatementPicker } from "./statement-picker"
import { TestPayments, TopUpsOff } from "./top-up-notices"
import { TopupTable } from "./topup-table"

/** Invalid query values are left out. */
function searchOf(params: SearchParams): ListEntriesInput {
  const fields = Object.entries(ListEntriesInput.shape).map(([name, schema]) => {
    const { data } = schema.safeParse(params[name])
    return [name, data]
  })
  return Object.fromEntries(fields)
}

async function readRecords(actor: AccountReader, search: ListEntriesInput) {
  const [ledger, topups, months, auto] = await Promise.all([
    listEntries(runtime(), actor, search),
    listTopups(runtime(), actor),
    listMonths(runtime(), actor),
    getAutoTopup(runtime(), actor),
  ])
  return { ledger, topups, months, auto }
}

const topUpLink = (actor: AccountReader): ReactNode =>
  topupTerms(runtime()).enabled && hasRight(actor, "billing.pay") ? (
    <LinkButton href="/billing/top-up">Top up</LinkButton>
  ) : null

/** An operator finds the statements here. The menu lists them to members. */
const STATEMENTS = (
  <LinkButton href="/billing/statements" variant="secondary">
    Statements
  </LinkButton>
)

/** Renders the balance, the top-ups and the ledger of the actor's account. */
export async function billingView(actor: AccountReader, params: SearchParams): Promise<ReactNode> {
  const isMember = actor.type === "user"
  const search = searchOf(params)
  const terms = topupTerms(runtime())
  const balance = await getBalance(runtime(), actor)
  const records = hasRight(actor, "billing.read") ? await readRecords(actor, search) : null
  return (
    <>
      <PageHeader title="Billing" action={isMember ? topUpLink(actor) : STATEMENTS}>
        You pay for decisions from a prepaid balance. Only answered requests are charged.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <BalancePanel balance={balance} />
        {terms.isTestDouble ? <TestPayments /> : null}
        {terms.enabled || !isMember ? null : <TopUpsOff />}
        {records && terms.enabled ? <AutoTopupSummary auto={records.auto} mayOpen={isMember} /> : null}
        {records && (terms.enabled || records.topups.length > 0) ? (
          <TopupTable topups={records.topups} canPay={hasRight(actor, "billing.pay")} />
        ) : null}
        {records ? (
          <Later>
            {isMember && records.months.length > 0 ? (
              <StatementPicker accountId={publicId("acc", actor.accountId)} months={records.months} />
            ) : null}
            <LedgerTable ledger={records.ledger} search={search} />
          </Later>
        ) : (
          <Alert title="Your role does not include the ledger">{refusalOf("billing.read")}</Alert>
        )}
      </div>
    </>
  )
}
