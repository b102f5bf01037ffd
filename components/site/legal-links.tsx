"use client"
import clsx from "clsx"
import { supportHref } from "@/lib/shared/site/site"
import { useSite } from "./site-context"

/** Renders the links to support and to the legal pages; nothing when none is set. */
export function LegalLinks({ className }: { className?: string }) {
  const { support, legal } = useSite()
  const href = supportHref(support)
  const links = href === null ? legal : [{ label: "Support", href }, ...legal]
  if (links.length === 0) return null
  return (
    <ul className={clsx("flex flex-wrap gap-x-4 text-ink-muted text-sm", className)}>
      {links.map(({ label, href }) => (
        <li key={label}>
          <a
            href={href}
            className="inline-flex items-center underline decoration-line-strong decoration-1 underline-offset-2 hover:text-ink pointer-coarse:min-h-11"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
