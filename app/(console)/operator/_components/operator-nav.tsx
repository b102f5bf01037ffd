"use client"
import { usePathname } from "next/navigation"
import { FilterLink } from "@/components/ui/filter-link"

const LINKS = [
  { href: "/operator", label: "Overview" },
  { href: "/operator/accounts", label: "Accounts" },
  { href: "/operator/models", label: "Models" },
  { href: "/operator/payments", label: "Payments" },
  { href: "/operator/mail", label: "Mail" },
  { href: "/operator/health", label: "Health" },
  { href: "/operator/audit", label: "Audit" },
]

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
