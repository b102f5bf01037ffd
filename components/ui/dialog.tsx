"use client"
import { Dialog as Base } from "@base-ui/react/dialog"
import { X } from "lucide-react"
import { type ReactNode, type RefObject, useRef } from "react"
import { afterPress } from "../timing/after-paint"
import { Button } from "./button"
import { mayReturnFocus } from "./may-return-focus"

interface DialogProps {
  open: boolean
  /**
   * Called with false on Escape or the close button. A click outside does not close the dialog, so no input is lost.
   */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** Receives the focus when the dialog opens. The default is the first control. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Returns the element that receives the focus when the dialog closes. The default is the one that had it before. */
  finalFocus?: () => HTMLElement | null
  children: ReactNode
}

/** Shows a modal dialog with a focus trap, at the bottom edge on a phone. Do not stack dialogs. */
export function Dialog({ open, onOpenChange, title, description, initialFocus, finalFocus, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const returnFocus = finalFocus && (() => (mayReturnFocus(popup.current) ? finalFocus() : false))
  return (
    <Base.Root
      disablePointerDismissal
      open={open}
      onOpenChange={(next, { event }) =>
        event instanceof MouseEvent ? afterPress(event, () => onOpenChange(next)) : onOpenChange(next)
      }
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-end justify-center overflow-y-auto sm:items-start sm:p-6 sm:pt-[12vh]">
          <Base.Popup
            ref={popup}
            initialFocus={initialFocus}
            finalFocus={returnFocus}
            className="relative flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto rounded-t-xl border border-line bg-surface p-5 text-ink shadow-float outline-none transition duration-150 data-ending-style:translate-y-2 data-starting-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:opacity-0 sm:max-h-none sm:max-w-lg sm:rounded-lg sm:p-6"
          >
            <div className="flex flex-col gap-1 pr-8">
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              {description ? <Base.Description className="text-ink-muted">{description}</Base.Description> : null}
            </div>
            {children}
            <Base.Close
              aria-label="Close"
              className="absolute top-3.5 right-3.5 inline-flex size-8 items-center justify-center rounded-md text-ink-muted hover:bg-sunken hover:text-ink pointer-coarse:top-2 pointer-coarse:right-2 pointer-coarse:size-11"
            >
              <X aria-hidden className="size-4" />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** Closes the dialog without doing anything. */
export function DialogCancel({ children = "Cancel" }: { children?: ReactNode }) {
  return <Base.Close render={<Button variant="secondary">{children}</Button>} />
}

/** Renders the buttons at the foot of a dialog. The primary button comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-1 max-sm:*:flex-1">{children}</div>
}
