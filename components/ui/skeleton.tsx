import clsx from "clsx"

/**
 * Shows a placeholder with the size of the loading content. It stays invisible for 0.3 s, so fast content does not
 * flash.
 */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-skeleton rounded-md bg-sunken", className)} />
}

interface SkeletonTableProps {
  /** Announces what is loading: "The ledger is loading". */
  label: string
  columns: number
  rows: number
}

/** Shows the placeholder of a `Table`, with the same row heights: 40 px from 640 px on, a list on a phone. */
export function SkeletonTable({ label, columns, rows }: SkeletonTableProps) {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="flex h-9 items-center border-line border-b max-sm:hidden">
        <Skeleton className="h-3 w-40" />
      </div>
      {range(rows).map((row) => (
        <div
          key={row}
          className="flex gap-6 border-line border-b max-sm:flex-col max-sm:gap-3 max-sm:py-4 sm:h-[41px] sm:items-center"
        >
          {range(columns).map((column) => (
            <Skeleton key={column} className="h-4 flex-1 max-sm:flex-none" />
          ))}
        </div>
      ))}
    </div>
  )
}
