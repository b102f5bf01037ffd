"use client"
import { Search } from "lucide-react"
import { preloadOnApproach } from "../timing/after-paint"
import { Kbd } from "../ui/kbd"
import { loadCommandMenu, useCommandMenu } from "./command-menu"

const preload = preloadOnApproach(loadCommandMenu)

/** Looks like a search field, and opens the command menu. */
export function SearchButton() {
  const { show, isApple } = useCommandMenu()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple ? "Meta+K" : "Control+K"}
      {...preload}
      onClick={() => show("all")}
      className="flex h-9 w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-ink-muted hover:border-line-strong hover:text-ink pointer-coarse:h-11"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 text-left">
        Search<span className="sr-only"> everything</span>
      </span>
      <span aria-hidden>
        <Kbd>{isApple ? "⌘ K" : "Ctrl K"}</Kbd>
      </span>
    </button>
  )
}

/** An icon that opens the command menu, for bars without room for a field. */
export function SearchIconButton() {
  const { show } = useCommandMenu()
  return (
    <button
      type="button"
      aria-label="Search everything"
      aria-haspopup="dialog"
      {...preload}
      onClick={() => show("all")}
      className="inline-flex size-9 items-center justify-center rounded-md text-ink hover:bg-sunken active:bg-sunken pointer-coarse:size-11"
    >
      <Search aria-hidden className="size-5" />
    </button>
  )
}
