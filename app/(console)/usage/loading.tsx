import { Skeleton } from "@/components/ui/skeleton"
import { FiltersSkeleton, SummarySkeleton } from "./_components/skeletons"
import { UsageHeader } from "./_components/usage-header"

/** The shape of the usage page as far down as somebody sees before it comes. */
export default function UsageLoading() {
  return (
    <>
      <UsageHeader action={<Skeleton className="h-9 w-26 pointer-coarse:h-11" />} />
      <div className="flex flex-col gap-8">
        <FiltersSkeleton />
        <SummarySkeleton />
      </div>
    </>
  )
}
