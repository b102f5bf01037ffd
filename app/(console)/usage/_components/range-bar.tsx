import { FilterLink } from "@/components/ui/filter-link"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"

const SPANS = [
  { days: 1, label: "Today" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
]

/** The usual ranges: so many UTC days, today included. */
export function RangeBar({ search }: { search: UsageSearch }) {
  const days = "days" in search.range ? search.range.days : null
  return (
    <nav aria-label="Range" className="flex gap-1">
      {SPANS.map((span) => (
        <FilterLink
          key={span.days}
          href={usageHref(search, { range: { days: span.days } })}
          isCurrent={span.days === days}
        >
          {span.label}
        </FilterLink>
      ))}
    </nav>
  )
}
