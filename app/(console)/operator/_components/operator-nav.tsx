"use client"
import { usePathname } from "next/navigation"
import { FilterLink } from "@/components/ui/filter-link"
import { isNamed, PAGE_LIST } from "@/lib/shared/pages"

const LINKS = PAGE_LIST.filter(isNamed).filter(({ access }) => access === "operator")

export function OperatorNav() {
  const current = usePathname()
  return (
    <nav aria-label="Operator" className="mb-6 flex flex-wrap gap-1 border-line border-b pb-3 print:hidden">
      {LINKS.map(({ path: href, label }) => (
        <FilterLink
          key={href}
          href={href}
          isCurrent={current === href || (href !== "/operator" && current.startsWith(`${href}/`))}
        >
          {href === "/operator" ? "Overview" : label}
        </FilterLink>
      ))}
    </nav>
  )
}
