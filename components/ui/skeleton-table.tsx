import { Skeleton } from "./skeleton"

interface SkeletonTableProps {
  /** What is on its way, for assistive technology: "The ledger is loading". */
  label: string
  columns: number
  rows: number
}

/** A table on its way: as high as the table that comes, rows of 40 px from 640 px on and a list on a phone. */
export function SkeletonTable({ label, columns, rows }: SkeletonTableProps) {
  const places = (count: number) => Array.from({ length: count }, (_, index) => index)
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="flex h-9 items-center border-line border-b max-sm:hidden">
        <Skeleton className="h-3 w-40" />
      </div>
      {places(rows).map((row) => (
        <div
          key={row}
          className="flex gap-6 border-line border-b max-sm:flex-col max-sm:gap-3 max-sm:py-4 sm:h-[41px] sm:items-center"
        >
          {places(columns).map((column) => (
            <Skeleton key={column} className="h-4 flex-1 max-sm:flex-none" />
          ))}
        </div>
      ))}
    </div>
  )
}
