"use client"
import { Dialog } from "@base-ui/react/dialog"
import { X } from "lucide-react"
import { type RefObject, useRef } from "react"
import { LegalLinks } from "@/components/site/legal-links"
import { mayReturnFocus } from "@/components/ui/may-return-focus"
import type { Runway } from "@/lib/server/billing/runway"
import { AccountMenu } from "./account-menu"
import { FirstStepsCard } from "./first-steps/first-steps-card"
import { Balance, type FrameUser, NavLinks } from "./menu"

interface SheetProps {
  user: FrameUser | null
  runway: Runway | null
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Receives the focus when the sheet closes, unless the user has focused another control by then. */
  opener: RefObject<HTMLButtonElement | null>
}

/** Shows the contents of the side bar in a sheet at the right edge of a small screen. `lazy` needs the default export. */
export default function Sheet({ user, runway, open, onOpenChange, opener }: SheetProps) {
  const popup = useRef<HTMLDivElement>(null)
  const close = () => onOpenChange(false)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          ref={popup}
          finalFocus={() => (mayReturnFocus(popup.current) ? opener.current : false)}
          className="fixed inset-y-0 right-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4 overflow-y-auto border-line border-l bg-surface p-4 text-ink shadow-float transition-transform duration-150 data-ending-style:translate-x-full data-starting-style:translate-x-full"
        >
          <div className="flex items-start justify-between gap-2">
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <div className="min-w-0 flex-1">{user ? <AccountMenu user={user} onNavigate={close} /> : null}</div>
            <Dialog.Close
              aria-label="Close the menu"
              className="inline-flex size-9 items-center justify-center rounded-md text-ink hover:bg-sunken pointer-coarse:size-11"
            >
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          <NavLinks user={user} onNavigate={close} />
          <div className="mt-auto flex flex-col gap-3">
            <FirstStepsCard onNavigate={close} />
            {user && runway ? <Balance user={user} runway={runway} onNavigate={close} /> : null}
            <LegalLinks />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
