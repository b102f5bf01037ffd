"use client"
import clsx from "clsx"
import { Ellipsis } from "lucide-react"
import { lazy, Suspense, startTransition, useRef, useState } from "react"
import { PendingPress } from "../link/pending-press"
import { preloadOnApproach } from "../timing/after-paint"
import { buttonClass } from "./button"
import type { MenuAction } from "./menu-popup"

const load = () => import("./menu-popup")
const preload = preloadOnApproach(load)
const MenuPopup = lazy(async () => ({ default: (await load()).MenuPopup }))

interface RowMenuProps {
  /** Names what the menu acts on, for assistive technology: "Actions for Production". */
  label: string
  actions: readonly MenuAction[]
}

/**
 * Renders a button with three dots that opens the actions of one row. The menu loads when the pointer or the focus
 * arrives. Renders nothing without actions.
 */
export function RowMenu({ label, actions }: RowMenuProps) {
  const [open, setOpen] = useState<boolean | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  // A transition lets the browser paint the pressed button before React renders the menu.
  const show = (next: boolean) => startTransition(() => setOpen(next))
  if (actions.length === 0) return null
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open === true}
        {...preload}
        onClick={() => show(true)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
          event.preventDefault()
          show(true)
        }}
        className={clsx(buttonClass("quiet", "sm"), "w-8 px-0 aria-expanded:bg-sunken pointer-coarse:min-w-11")}
      >
        <Ellipsis aria-hidden className="size-4" />
      </button>
      {open === null ? null : (
        <Suspense fallback={<PendingPress />}>
          <MenuPopup actions={actions} open={open} onOpenChange={show} opener={opener} />
        </Suspense>
      )}
    </>
  )
}
