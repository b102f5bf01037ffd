import { X } from "lucide-react"
import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from "react"
import { afterPaint } from "../timing/after-paint"
import type { Commands, View } from "./commands"
import { SearchView } from "./search-view"
import { ShortcutList } from "./shortcut-list"
import type { Sources } from "./use-sources"

interface PaletteProps {
  view: View
  isOpen: boolean
  /** A different number for each opening. */
  opening: number
  commands: Commands
  sources: Sources
  isApple: boolean
  /** Returns what the user typed before the menu appeared. */
  takeTyped: () => string
  onQuery: (query: string) => void
  onView: (view: View) => void
  onClose: () => void
}

/** Shows the command menu in a modal `dialog` element, which traps the focus and returns it. Content is new at each opening. */
export default function Palette({ view, isOpen, opening, onClose, ...rest }: PaletteProps) {
  const isList = view === "shortcuts"
  return (
    <Modal label={isList ? "Keyboard shortcuts" : "Search and commands"} {...{ isOpen, opening, onClose }}>
      {isList ? (
        <ShortcutList isApple={rest.isApple} close={<CloseButton onClick={onClose} />} />
      ) : (
        <SearchView key={opening} view={view} {...rest} onClose={onClose} close={<CloseButton onClick={onClose} />} />
      )}
    </Modal>
  )
}

interface ModalProps {
  label: string
  isOpen: boolean
  opening: number
  onClose: () => void
  children: ReactNode
}

function Modal({ label, isOpen, opening, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser may have closed a dialog that opens again
  useLayoutEffect(() => {
    if (!dialog.current) return
    if (!isOpen) return dialog.current.close()
    delete dialog.current.dataset.leaving
    if (!dialog.current.open) dialog.current.showModal()
  }, [isOpen, opening])
  // Closing a modal makes the browser restyle every element of the page. So the menu is hidden first.
  const leave = (event: SyntheticEvent<HTMLDialogElement>) => {
    event.preventDefault()
    event.currentTarget.dataset.leaving = ""
    afterPaint(onClose)
  }
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      closedby="any"
      onCancel={leave}
      // The event of an earlier close may arrive after the dialog was opened again.
      onClose={(event) => {
        if (!event.currentTarget.open) onClose()
      }}
      className="fixed inset-x-0 top-0 m-0 mx-auto max-h-dvh w-full max-w-none flex-col overflow-hidden border-line bg-surface text-ink shadow-float outline-none backdrop:bg-scrim data-leaving:opacity-0 data-leaving:backdrop:opacity-0 open:flex max-sm:h-dvh sm:top-[12vh] sm:max-h-[70vh] sm:max-w-xl sm:rounded-lg sm:border"
    >
      {isOpen ? children : null}
    </dialog>
  )
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Close"
      onClick={onClick}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
    >
      <X aria-hidden className="size-4" />
    </button>
  )
}
