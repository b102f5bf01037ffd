"use client"
import clsx from "clsx"
import { usePathname } from "next/navigation"
import { Link } from "@/components/link/link"

const LINKS = [
  { href: "/models", label: "Models" },
  { href: "/docs", label: "Docs" },
] as const

export function SiteNav() {
  const path = usePathname()
  return (
    <nav aria-label="Site" className="flex gap-1 max-sm:order-last max-sm:-ml-2.5 max-sm:basis-full max-sm:pb-1">
      {LINKS.map(({ href, label }) => {
        const current = path === href || path.startsWith(`${href}/`)
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? "page" : undefined}
            className={clsx(
              "inline-flex h-9 items-center rounded-md px-2.5 hover:bg-sunken hover:text-ink pointer-coarse:h-11",
              current ? "font-medium text-ink" : "text-ink-muted",
            )}
          >
            {label}
          </Link>
        )
      })}
    </nav>
  )
}
