import { Skeleton } from "@/components/ui/skeleton"

/** The shape of the balance and the form that adds to it. */
export function TopUpSkeleton() {
  return (
    <div className="flex max-w-lg flex-col gap-5">
      <p role="status" className="sr-only">
        The balance is loading
      </p>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-16" />
      <Skeleton className="h-22" />
      <Skeleton className="h-9 w-36 pointer-coarse:h-11" />
    </div>
  )
}
