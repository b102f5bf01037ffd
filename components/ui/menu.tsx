"use client"
import { Menu as Base } from "@base-ui/react/menu"
import clsx from "clsx"
import { Ellipsis } from "lucide-react"
import { type ReactNode, type RefObject, startTransition, useState } from "react"
import { buttonClass } from "./button"

interface RowMenuProps {
  /** What the menu acts on, for assistive technology: "Actions for Production". */
  label: string
  /** Gets the focus back after a dialog that an item opened. */
  trigger?: RefObject<HTMLButtonElement | null>
  /** One `MenuItem` per action. */
  children: ReactNode
}

/** What can be done with one row, behind three dots. */
export function RowMenu({ label, trigger, children }: RowMenuProps) {
  const [open, setOpen] = useState(false)
  return (
    // The press is answered with a paint at once; the menu is made right after it.
    <Base.Root open={open} onOpenChange={(next) => startTransition(() => setOpen(next))}>
      <Base.Trigger
        ref={trigger}
        aria-label={label}
        className={clsx(buttonClass("quiet", "sm"), "w-8 px-0 data-popup-open:bg-sunken pointer-coarse:min-w-11")}
      >
        <Ellipsis aria-hidden className="size-4" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-30 outline-none">
          <Base.Popup className="min-w-40 rounded-md border border-line bg-surface p-1 text-ink shadow-float outline-none transition duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  onSelect: () => void
  /** For what destroys something. */
  danger?: boolean
  children: ReactNode
}

/** One action of a menu. */
export function MenuItem({ onSelect, danger, children }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      className={clsx(
        "flex h-8 cursor-pointer select-none items-center rounded px-2.5 outline-none data-highlighted:bg-sunken pointer-coarse:h-11",
        danger && "text-danger",
      )}
    >
      {children}
    </Base.Item>
  )
}
