"use client"
import { usePathname } from "next/navigation"
import { FilterLink, FilterLinks } from "@/components/ui/filter-link"
import { PAGE_LIST, type ShownPath } from "@/lib/shared/pages"

const labelOf = (path: ShownPath): string => PAGE_LIST.find((page) => page.path === path)?.label ?? path

/** The pages below another one are reached from there. */
const LINKS = PAGE_LIST.flatMap(({ shows }) =>
  shows && !shows.includes("[id]") && !shows.startsWith("/billing/")
    ? [{ path: shows, label: labelOf(shows as ShownPath) }]
    : [],
)

interface AccountNavProps {
  /** The address of the account's first page. */
  base: string
  name: string
}

/** Renders the links between the pages of an account that an operator looks at. */
export function AccountNav({ base, name }: AccountNavProps) {
  const current = usePathname()
  const isAt = (href: string) => current === href || current.startsWith(`${href}/`)
  return (
    <nav aria-label="Account" className="mb-6 flex flex-wrap items-center gap-x-2 max-sm:mb-4 print:hidden">
      <span className="wrap-anywhere font-medium">{name}</span>
      <FilterLinks>
        <FilterLink href={base} isCurrent={current === base}>
          Facts
        </FilterLink>
        {LINKS.map(({ path, label }) => (
          <FilterLink key={path} href={`${base}${path}`} isCurrent={isAt(`${base}${path}`)}>
            {label}
          </FilterLink>
        ))}
      </FilterLinks>
    </nav>
  )
}
