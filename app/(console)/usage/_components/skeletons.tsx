import { Skeleton } from "@/components/ui/skeleton"

const FIGURES = ["a", "b", "c", "d", "e", "f"]
const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"]

function ChartSkeleton({ className }: { className?: string }) {
  return (
    <div className={className}>
      <Skeleton className="mb-3 h-11 w-48" />
      <Skeleton className="h-[172px]" />
      <Skeleton className="mt-3 h-5 w-28" />
    </div>
  )
}

/** The shape of totals and charts while they are read. */
export function SummarySkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <p role="status" className="sr-only">
        Loading usage
      </p>
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
          {FIGURES.map((name) => (
            <Skeleton key={name} className="h-11" />
          ))}
        </div>
        <Skeleton className="h-5 max-w-text" />
      </div>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <ChartSkeleton className="lg:col-span-2" />
        <ChartSkeleton />
        <ChartSkeleton />
      </div>
      <TableSkeleton />
    </div>
  )
}

/** The shape of a table while it is read. */
export function TableSkeleton() {
  return (
    <div className="flex flex-col gap-1">
      {ROWS.map((name) => (
        <Skeleton key={name} className="h-10" />
      ))}
    </div>
  )
}
