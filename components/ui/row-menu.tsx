"use client"
import clsx from "clsx"
import { Ellipsis } from "lucide-react"
import { lazy, Suspense, startTransition, useRef, useState } from "react"
import { afterPaint } from "../after-paint"
import { buttonClass } from "./button"

const load = () => import("./menu-popup")
const loadSoon = () => afterPaint(load)
const MenuPopup = lazy(async () => ({ default: (await load()).MenuPopup }))

/** One line of a menu. */
export interface MenuAction {
  label: string
  /** Is told the button that opened the menu, for a dialog that gives the focus back. */
  onSelect: (opener: HTMLButtonElement | null) => void
  /** For what destroys something. */
  isDanger?: boolean
}

interface RowMenuProps {
  /** What the menu acts on, for assistive technology: "Actions for Production". */
  label: string
  actions: readonly MenuAction[]
}

/** What can be done with one row, behind three dots. The menu itself comes as a pointer or the focus gets near. */
export function RowMenu({ label, actions }: RowMenuProps) {
  const [open, setOpen] = useState<boolean | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  // The press is answered with a paint at once; the menu is made right after it.
  const show = (next: boolean) => startTransition(() => setOpen(next))
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open === true}
        onPointerEnter={loadSoon}
        onFocus={loadSoon}
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
        <Suspense>
          <MenuPopup actions={actions} open={open} onOpenChange={show} opener={opener} />
        </Suspense>
      )}
    </>
  )
}
