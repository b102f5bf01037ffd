"use client"
import { usePathname } from "next/navigation"
import { FilterLink } from "@/components/ui/filter-link"

const LINKS = [{ href: "/operator/accounts", label: "Accounts" }]

export function OperatorNav() {
  const path = usePathname()
  return (
    <nav aria-label="Operator" className="mb-6 flex flex-wrap gap-1 border-line border-b pb-3 print:hidden">
      {LINKS.map(({ href, label }) => (
        <FilterLink
          key={href}
          href={href}
          isCurrent={path === href || (href !== "/operator" && path.startsWith(`${href}/`))}
        >
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}
