"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { Link } from "@/components/link/link"

interface FilterLinkProps {
  href: string
  isCurrent: boolean
  scroll?: boolean
  children: ReactNode
}

/** Scrolls the line of a phone so that the current link is in its middle. Elsewhere, the line does not scroll. */
function showInLine(link: HTMLAnchorElement | null): void {
  const line = link?.parentElement
  if (line) line.scrollLeft = link.offsetLeft - line.offsetLeft - (line.clientWidth - link.offsetWidth) / 2
}

export function FilterLink({ href, isCurrent, scroll, children }: FilterLinkProps) {
  return (
    <Link
      ref={isCurrent ? showInLine : undefined}
      href={href}
      scroll={scroll}
      aria-current={isCurrent ? "true" : undefined}
      className={clsx(
        "inline-flex h-8 shrink-0 items-center whitespace-nowrap gap-1.5 rounded-md px-2.5 font-medium pointer-coarse:h-11",
        isCurrent ? "bg-accent-soft text-accent-strong" : "text-ink-muted hover:bg-sunken hover:text-ink",
      )}
    >
      {children}
    </Link>
  )
}

/**
 * Puts links beside each other: on a phone in one line that scrolls and fades at its end, elsewhere in as many lines as they need. The
 * padding keeps the outline of a focused link inside, because what scrolls is clipped.
 */
export function FilterLinks({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1 max-sm:-m-1 max-sm:overflow-x-auto max-sm:overflow-y-hidden max-sm:p-1 max-sm:pr-8 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)] max-sm:[scrollbar-width:none] sm:flex-wrap">
      {children}
    </div>
  )
}
