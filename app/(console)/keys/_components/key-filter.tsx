import { FilterLink } from "@/components/ui/filter-link"
import { type KeyView, keyViewHref, type ViewedKeys } from "@/lib/shared/keys/key-view"

const LABELS: readonly { show: KeyView["show"]; label: string }[] = [
  { show: "active", label: "Active" },
  { show: "ended", label: "Ended" },
  { show: "all", label: "All" },
]

/** Keys that can be used, those that ended, or all. */
export function KeyFilter({ view, counts }: Pick<ViewedKeys, "view" | "counts">) {
  return (
    <nav aria-label="Which keys" className="flex gap-1">
      {LABELS.filter(({ show }) => show !== "ended" || counts.ended > 0).map(({ show, label }) => (
        <FilterLink key={show} href={keyViewHref(view, { show })} scroll={false} isCurrent={show === view.show}>
          {label} <span className="tabular-nums">{counts[show]}</span>
        </FilterLink>
      ))}
    </nav>
  )
}
