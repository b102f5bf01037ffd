import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/auth/session"
import { getBalance } from "@/lib/billing/get-balance"
import { listEntries } from "@/lib/billing/list-entries"
import { listTopups } from "@/lib/billing/list-topups"
import { ListEntriesInput } from "@/lib/billing/schema"
import { topupTerms } from "@/lib/billing/topup-terms"
import { BalancePanel } from "./_components/balance-panel"
import { LedgerTable } from "./_components/ledger-table"
import { TopUpsOff } from "./_components/top-ups-off"
import { TopupTable } from "./_components/topup-table"
import { PretendMoney } from "./top-up/_components/pretend-money"

export const metadata: Metadata = { title: "Billing" }

interface BillingPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function BillingPage({ searchParams }: BillingPageProps) {
  const actor = await requireSession("/billing")
  const cursor = ListEntriesInput.safeParse({ before: (await searchParams).before })
  const before = cursor.success ? cursor.data.before : undefined
  const terms = topupTerms()
  const [balance, ledger, topups] = await Promise.all([
    getBalance(actor),
    actor.role === "owner" ? listEntries(actor, { before }) : null,
    actor.role === "owner" ? listTopups(actor) : null,
  ])
  return (
    <>
      <PageHeader
        title="Billing"
        action={terms.enabled && topups ? <LinkButton href="/billing/top-up">Top up</LinkButton> : null}
      >
        Decisions are paid from a prepaid balance. Only an answered request is charged.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <BalancePanel balance={balance} />
        {terms.pretend ? <PretendMoney /> : null}
        {terms.enabled ? null : <TopUpsOff email={actor.email} />}
        {topups && (terms.enabled || topups.length > 0) ? <TopupTable topups={topups} /> : null}
        {ledger ? (
          <LedgerTable ledger={ledger} isFirstPage={before === undefined} />
        ) : (
          <Alert title="The ledger is for owners">Ask an owner of this account about its entries.</Alert>
        )}
      </div>
    </>
  )
}
