import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"
import { KeysHeader } from "../_components/key-list"

export default function KeysLoading() {
  return (
    <>
      <KeysHeader action={<Skeleton className="h-9 w-29 pointer-coarse:h-11" />} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pb-3">
        <Skeleton className="h-8 w-36 pointer-coarse:h-11" />
        <Skeleton className="h-9 w-full sm:w-64 pointer-coarse:h-11" />
      </div>
      <SkeletonTable label="The keys are loading" columns={7} rows={5} />
    </>
  )
}
