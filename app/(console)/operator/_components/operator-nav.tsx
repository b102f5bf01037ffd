"use client"
import { usePathname } from "next/navigation"
import { FilterLink, FilterLinks } from "@/components/ui/filter-link"
import { type OperatorRole, operatorHas } from "@/lib/shared/accounts/roles"
import { isNamed, PAGE_LIST } from "@/lib/shared/pages"

const LINKS = PAGE_LIST.filter(isNamed).filter(({ access }) => access === "operator")

/** Links to the pages that the operator's role may open. */
export function OperatorNav({ role }: { role: OperatorRole }) {
  const current = usePathname()
  return (
    <nav aria-label="Operator" className="mb-6 border-line border-b pb-3 max-sm:mb-4 print:hidden">
      <FilterLinks>
        {LINKS.filter(({ right }) => right === undefined || operatorHas(role, right)).map(({ path: href, label }) => (
          <FilterLink
            key={href}
            href={href}
            isCurrent={current === href || (href !== "/operator" && current.startsWith(`${href}/`))}
          >
            {href === "/operator" ? "Overview" : label}
          </FilterLink>
        ))}
      </FilterLinks>
    </nav>
  )
}
