import { PageHeader } from "@/components/ui/page-header"
import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"

export default function BillingLoading() {
  return (
    <>
      <PageHeader title="Billing">
        You pay for decisions from a prepaid balance. Only answered requests are charged.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <div className="flex flex-wrap gap-x-12 gap-y-4">
          <div className="flex flex-col">
            <span className="text-ink-muted text-sm">Balance</span>
            <Skeleton className="my-1.5 h-6 w-32" />
          </div>
          <div className="flex flex-col">
            <span className="text-ink-muted text-sm">Reserved for requests in progress</span>
            <Skeleton className="my-1.5 h-6 w-24" />
          </div>
        </div>
        <SkeletonTable label="Billing is loading" columns={5} rows={8} />
      </div>
    </>
  )
}
