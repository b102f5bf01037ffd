"use client"
import { Search } from "lucide-react"
import type { MouseEvent } from "react"
import { loadCommandMenu, useCommandMenu } from "@/components/command-menu/command-menu"
import { Link } from "@/components/link/link"
import { preloadOnApproach } from "@/components/timing/after-paint"

const preload = preloadOnApproach(loadCommandMenu)

/** Opens the search of the docs. Without JavaScript, it leads to a page with a form. */
export function SearchLink() {
  const { show } = useCommandMenu()
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    show("docs")
  }
  return (
    <Link
      href="/docs?q="
      prefetch={false}
      aria-haspopup="dialog"
      {...preload}
      onClick={open}
      className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-ink-muted hover:text-ink pointer-coarse:h-11"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      Search the docs
    </Link>
  )
}
