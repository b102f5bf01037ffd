import { Skeleton } from "@/components/ui/skeleton"
import { FiltersSkeleton, SummarySkeleton, UsageHeader } from "./_components/frame"

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
