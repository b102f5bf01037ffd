import clsx from "clsx"
import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton, SkeletonTable } from "@/components/ui/skeleton"

const FIELDS = { from: "w-36", to: "w-36", key: "w-44", model: "w-56", group: "w-36" }
const FIGURES = ["a", "b", "c", "d", "e", "f"]

export function UsageHeader({ action }: { action: ReactNode }) {
  return (
    <PageHeader title="Usage" action={action}>
      Requests, cost, errors and latency by key and model. Days are in UTC.
    </PageHeader>
  )
}

function ChartSkeleton({ className }: { className?: string }) {
  return (
    <div className={className}>
      <Skeleton className="mb-3 h-11 w-48" />
      <Skeleton className="h-[172px]" />
      <Skeleton className="mt-3 h-5 w-28" />
    </div>
  )
}

export function FiltersSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-8 w-72 max-w-full pointer-coarse:h-11" />
      <div className="flex flex-wrap items-end gap-2">
        {Object.entries(FIELDS).map(([name, width]) => (
          <Skeleton key={name} className={clsx("h-15.5 max-sm:grow pointer-coarse:h-17.5", width)} />
        ))}
        <Skeleton className="h-9 w-18 pointer-coarse:h-11" />
      </div>
    </div>
  )
}

export function SummarySkeleton() {
  return (
    <div className="flex flex-col gap-8">
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
      <SkeletonTable label="The figures are loading" columns={7} rows={4} />
    </div>
  )
}
