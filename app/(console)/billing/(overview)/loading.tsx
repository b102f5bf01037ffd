import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import { SkeletonTable } from "@/components/ui/skeleton-table"

/** The shape of the billing page: balance, then the ledger. */
export default function BillingLoading() {
  return (
    <>
      <PageHeader title="Billing">
        Decisions are paid from a prepaid balance. Only an answered request is charged.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <div className="flex flex-wrap gap-x-12 gap-y-4">
          <div className="flex flex-col">
            <span className="text-ink-muted text-sm">Balance</span>
            <Skeleton className="my-1.5 h-6 w-32" />
          </div>
          <div className="flex flex-col">
            <span className="text-ink-muted text-sm">Set aside for requests in flight</span>
            <Skeleton className="my-1.5 h-6 w-24" />
          </div>
        </div>
        <SkeletonTable label="Billing is loading" columns={5} rows={8} />
      </div>
    </>
  )
}
