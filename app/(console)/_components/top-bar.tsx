"use client"
import { Menu } from "lucide-react"
import { lazy, Suspense, startTransition, useRef, useState } from "react"
import { SearchIconButton } from "@/components/command-menu/open-button"
import { PendingPress } from "@/components/link/pending-press"
import { Brand } from "@/components/site/brand"
import { preloadOnApproach } from "@/components/timing/after-paint"
import type { Runway } from "@/lib/server/billing/runway"
import { FirstStepsChip } from "./first-steps/first-steps-card"
import type { FrameUser } from "./menu"

// The sheet loads on demand, so pages do not wait for it.
const load = () => import("./sheet")
const preload = preloadOnApproach(load)
const Sheet = lazy(load)

interface TopBarProps {
  user: FrameUser | null
  runway: Runway | null
}

/** Renders the top bar of screens below 1024 px. */
export function TopBar({ user, runway }: TopBarProps) {
  const [open, setOpen] = useState<boolean | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  // A transition lets the browser paint the pressed button before React renders the sheet.
  const show = (next: boolean) => startTransition(() => setOpen(next))
  return (
    <header className="sticky short:static top-0 z-30 flex h-13 items-center justify-between gap-2 border-line border-b bg-bg px-4 sm:px-8 lg:hidden print:hidden">
      <Brand />
      <div className="flex items-center gap-1">
        <FirstStepsChip />
        <SearchIconButton />
        <button
          ref={opener}
          type="button"
          aria-label="Open the menu"
          aria-haspopup="dialog"
          aria-expanded={open === true}
          {...preload}
          onClick={() => show(true)}
          className="inline-flex size-9 items-center justify-center rounded-md text-ink hover:bg-sunken active:bg-sunken pointer-coarse:size-11"
        >
          <Menu aria-hidden className="size-5" />
        </button>
      </div>
      {open === null ? null : (
        <Suspense fallback={<PendingPress />}>
          <Sheet user={user} runway={runway} open={open} onOpenChange={show} opener={opener} />
        </Suspense>
      )}
    </header>
  )
}
