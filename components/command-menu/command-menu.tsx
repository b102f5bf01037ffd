"use client"
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  use,
  useEffect,
  useEffectEvent,
  useState,
} from "react"
import { readStored } from "@/lib/shared/browser-storage"
import { PendingPress } from "../link/pending-press"
import { preload } from "../timing/after-paint"
import { isModalOpen } from "../ui/is-modal-open"
import { type Command, QUESTION_MARK, type View } from "./commands"
import { useSources } from "./use-sources"
import { useTypedAhead } from "./use-typed-ahead"

// The menu loads on first use, so pages do not wait for it.
export const loadCommandMenu = () => import("./palette")
const Palette = lazy(loadCommandMenu)

interface Shared {
  show: (view: View) => void
  isApple: boolean
}

const Context = createContext<Shared>({ show: () => undefined, isApple: false })

/** Returns a function that opens the menu, and whether shortcuts use ⌘ here. */
export const useCommandMenu = (): Shared => use(Context)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))

function isQuestionMark({ key, target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (key !== "?" || metaKey || ctrlKey || altKey || isTyping(target)) return false
  return !isModalOpen() && readStored(QUESTION_MARK) !== false
}

function isCommandK({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent, isApple: boolean): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && key.toLowerCase() === "k" && !altKey && !shiftKey
}

function useShortcuts(show: (view: View) => void, isApple: boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // Starts to load the menu's code before the shortcut is complete.
    if (event.key === "Control" || event.key === "Meta") preload(loadCommandMenu)
    const view = isCommandK(event, isApple) ? "all" : isQuestionMark(event) ? "shortcuts" : null
    if (view === null || event.defaultPrevented || event.repeat) return
    event.preventDefault()
    show(view)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener("keydown", listener)
    return () => window.removeEventListener("keydown", listener)
  }, [])
}

interface Opened {
  view: View
  isOpen: boolean
  /** The number of openings so far. It distinguishes two openings if the menu was closed in between without a render. */
  opening: number
}

interface CommandMenuProps {
  pages: readonly Command[]
  actions?: readonly Command[]
  /** Whether there is an account to search. */
  isSignedIn: boolean
  isApple: boolean
  children: ReactNode
}

/** Opens the command menu on ⌘K or Ctrl+K, and its list of shortcuts on "?". Its children can open it with `useCommandMenu`. */
export function CommandMenu({ pages, actions = [], isSignedIn, isApple, children }: CommandMenuProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const { sources, load, findRequest } = useSources(isSignedIn)
  const typedAhead = useTypedAhead(() => setOpened((before) => before && { ...before, isOpen: false }))
  const show = (view: View) => {
    load(view)
    if (view === "shortcuts") typedAhead.take()
    else typedAhead.keep()
    // A transition lets the browser paint the pressed button before React renders the menu.
    startTransition(() => setOpened((before) => ({ view, isOpen: true, opening: (before?.opening ?? 0) + 1 })))
  }
  // A key may have opened the menu again before this close.
  const close = (opening: number) =>
    setOpened((before) => (before?.opening === opening ? { ...before, isOpen: false } : before))
  useShortcuts(show, isApple)
  return (
    <Context value={{ show, isApple }}>
      {children}
      {opened ? (
        <Suspense fallback={opened.isOpen ? <LoadingNote /> : null}>
          <Palette
            {...opened}
            commands={{ pages, actions }}
            sources={sources}
            takeTyped={typedAhead.take}
            isApple={isApple}
            onQuery={findRequest}
            onView={show}
            onClose={() => close(opened.opening)}
          />
        </Suspense>
      ) : null}
    </Context>
  )
}

/** Appears in the menu's place if its code takes longer than 0.3 s to load. */
function LoadingNote() {
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-6 z-50 flex justify-center sm:top-[12vh]">
      <PendingPress />
      <p className="animate-late rounded-md border border-line bg-surface px-4 py-2 text-ink shadow-float">
        Loading search…
      </p>
    </div>
  )
}
