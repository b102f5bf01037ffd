import type { Metadata } from "next"
import { Alert } from "@/components/ui/alert"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/auth/session"
import { getBalance } from "@/lib/billing/get-balance"
import { listEntries } from "@/lib/billing/list-entries"
import { ListEntriesInput } from "@/lib/billing/schema"
import { BalancePanel } from "./_components/balance-panel"
import { LedgerTable } from "./_components/ledger-table"
import { TopUpsOff } from "./_components/top-ups-off"

export const metadata: Metadata = { title: "Billing" }

interface BillingPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function BillingPage({ searchParams }: BillingPageProps) {
  const actor = await requireSession("/billing")
  const cursor = ListEntriesInput.safeParse({ before: (await searchParams).before })
  const before = cursor.success ? cursor.data.before : undefined
  const [balance, ledger] = await Promise.all([
    getBalance(actor),
    actor.role === "owner" ? listEntries(actor, { before }) : null,
  ])
  return (
    <>
      <PageHeader title="Billing">
        Decisions are paid from a prepaid balance. Only an answered request is charged.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <BalancePanel balance={balance} />
        <TopUpsOff email={actor.email} />
        {ledger ? (
          <LedgerTable ledger={ledger} isFirstPage={before === undefined} />
        ) : (
          <Alert title="The ledger is for owners">Ask an owner of this account about its entries.</Alert>
        )}
      </div>
    </>
  )
}
