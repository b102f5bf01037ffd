import { FilterLink } from "@/components/ui/filter-link"

const RANGES = [
  { days: 1, label: "Today" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
]

interface RangeBarProps {
  range: { days: number } | { from: string; to: string }
  /** Returns the page's address for the last days. */
  hrefOf: (days: number) => string
}

/** Links to the same page for the usual ranges of days. */
export function RangeBar({ range, hrefOf }: RangeBarProps) {
  const current = "days" in range ? range.days : null
  return (
    <nav aria-label="Range" className="flex gap-1">
      {RANGES.map(({ days, label }) => (
        <FilterLink key={days} href={hrefOf(days)} scroll={false} isCurrent={days === current}>
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}
