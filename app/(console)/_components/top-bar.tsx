"use client"
import { Dialog } from "@base-ui/react/dialog"
import { Menu, X } from "lucide-react"
import { useState } from "react"
import { Brand } from "@/components/brand"
import { BalanceFoot } from "./balance-foot"
import { FirstStepsCard } from "./first-steps/first-steps-card"
import { FirstStepsChip } from "./first-steps/first-steps-chip"
import { NavLinks } from "./nav-links"

interface TopBarProps {
  email: string
  balanceUsd: string
}

const ICON_BUTTON =
  "inline-flex size-9 items-center justify-center rounded-md text-ink hover:bg-sunken pointer-coarse:size-11"

/** Below 1024 px: the name, and a sheet with what the rail holds. */
export function TopBar({ email, balanceUsd }: TopBarProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center justify-between gap-2 border-line border-b bg-bg px-4 sm:px-8 lg:hidden print:hidden">
      <Brand />
      <FirstStepsChip />
      <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
        <Dialog.Trigger aria-label="Open the menu" className={ICON_BUTTON}>
          <Menu aria-hidden className="size-5" />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4 overflow-y-auto border-line border-l bg-surface p-4 text-ink shadow-float transition-transform duration-150 data-ending-style:translate-x-full data-starting-style:translate-x-full">
            <div className="flex items-center justify-between gap-2">
              <Dialog.Title className="min-w-0 truncate text-ink-muted text-sm">{email}</Dialog.Title>
              <Dialog.Close aria-label="Close the menu" className={ICON_BUTTON}>
                <X aria-hidden className="size-5" />
              </Dialog.Close>
            </div>
            <NavLinks onNavigate={close} />
            <div className="mt-auto flex flex-col gap-3">
              <FirstStepsCard onNavigate={close} />
              <BalanceFoot balanceUsd={balanceUsd} onNavigate={close} />
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  )
}
