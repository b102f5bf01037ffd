"use client"
import { Menu } from "@base-ui/react/menu"
import clsx from "clsx"
import { type RefObject, useRef } from "react"
import { mayReturnFocus } from "./may-return-focus"

export interface MenuAction {
  label: string
  /** Receives the button that opened the menu, so that a dialog can return the focus to it. */
  onSelect: (opener: HTMLButtonElement | null) => void
  isDanger?: boolean
}

interface MenuPopupProps {
  actions: readonly MenuAction[]
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Anchors the menu and receives the focus when it closes. */
  opener: RefObject<HTMLButtonElement | null>
}

/** Shows the menu of a `RowMenu`, which loads this module on demand. */
export function MenuPopup({ actions, open, onOpenChange, opener }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const first = useRef<HTMLDivElement>(null)
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <Menu.Portal>
        <Menu.Positioner anchor={opener} align="end" sideOffset={4} className="z-30 outline-none">
          <Menu.Popup
            ref={popup}
            finalFocus={() => (mayReturnFocus(popup.current) ? opener.current : false)}
            onFocus={({ target, currentTarget, relatedTarget }) => {
              // Base UI focuses the first entry only for its own trigger. The menu is not positioned yet, so focusing must
              // not scroll the page.
              if (target === currentTarget && relatedTarget === opener.current)
                first.current?.focus({ preventScroll: true })
            }}
            className="min-w-40 rounded-md border border-line bg-surface p-1 text-ink shadow-float outline-none transition duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {actions.map(({ label, onSelect, isDanger }, index) => (
              <Menu.Item
                key={label}
                ref={index === 0 ? first : undefined}
                onClick={() => onSelect(opener.current)}
                className={clsx(
                  "flex h-8 cursor-pointer select-none items-center rounded px-2.5 outline-none data-highlighted:bg-sunken pointer-coarse:h-11",
                  isDanger && "text-danger",
                )}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
