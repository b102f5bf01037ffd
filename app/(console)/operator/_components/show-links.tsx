import { PhoneFilters } from "@/components/form/phone-filters"
import { FilterLink } from "@/components/ui/filter-link"
import { viewHref } from "@/lib/shared/view-href"

export interface ShowLink<Show extends string> {
  show: Show
  label: string
}

interface ShowLinksProps<Show extends string> {
  /** For assistive technology: "Filter accounts". */
  label: string
  path: string
  /** The query of the list's address. */
  view: Record<string, string | null> & { show: Show }
  links: readonly ShowLink<Show>[]
}

/** Renders the links that choose which rows a list shows, first the one for all rows. They lead to the list's first page. */
export function ShowLinks<Show extends string>({ label, path, view, links }: ShowLinksProps<Show>) {
  return (
    <PhoneFilters count={view.show === links[0]?.show ? 0 : 1}>
      <nav aria-label={label} className="flex flex-wrap gap-1">
        {links.map(({ show, label: text }) => (
          <FilterLink
            key={show}
            href={viewHref(path, { ...view, show, after: null })}
            scroll={false}
            isCurrent={show === view.show}
          >
            {text}
          </FilterLink>
        ))}
      </nav>
    </PhoneFilters>
  )
}
