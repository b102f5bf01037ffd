"use client"
import { Plus } from "lucide-react"
import { createContext, lazy, type ReactNode, Suspense, startTransition, useContext, useRef, useState } from "react"
import { afterPaint } from "@/components/after-paint"
import { Button, type ButtonVariant } from "@/components/ui/button"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { KeySummary } from "@/lib/shared/keys/schema"

/** The forms and what checks them come with the first press, or as a pointer or the focus gets near: no page waits for them. */
const loadCreate = () => import("./create-dialog")
const loadRevoke = () => import("./revoke-dialog")
const CreateDialog = lazy(async () => ({ default: (await loadCreate()).CreateDialog }))
const RevokeDialog = lazy(async () => ({ default: (await loadRevoke()).RevokeDialog }))
const soon = (load: () => unknown) => ({ onPointerEnter: () => afterPaint(load), onFocus: () => afterPaint(load) })
const loadsCreate = soon(loadCreate)
const loadsRevoke = soon(loadRevoke)

/** Each gives the focus back to its opener: what has the focus now, unless another is named. */
interface Dialogs {
  /** Opens the form for a new key, filled from another key when one is given. */
  create: (from: KeySummary | null, opener?: HTMLElement | null) => void
  /** Asks whether to revoke a key. */
  revoke: (key: KeySummary, opener?: HTMLElement | null) => void
}

const DialogsContext = createContext<Dialogs>({ create: () => {}, revoke: () => {} })

/** The dialogs of the `KeyDialogs` around. */
export const useKeyDialogs = (): Dialogs => useContext(DialogsContext)

interface KeyDialogsProps {
  baseUrl: string
  sample: SpendSample
  children: ReactNode
}

type Step = { what: "none" } | { what: "create"; from: KeySummary | null } | { what: "revoke"; entry: KeySummary }

/**
 * Holds the dialogs above the page's content: the list and its empty state come and go as keys are made, and a secret on show,
 * which lives only in the dialog's state, must outlast that.
 */
export function KeyDialogs({ baseUrl, sample, children }: KeyDialogsProps) {
  const [step, setStep] = useState<Step>({ what: "none" })
  // What was opened once stays, for it fades when it closes.
  const [opened, setOpened] = useState({ create: false, revoke: false })
  const opener = useRef<Element | null>(null)
  const open = (next: Step, by?: HTMLElement | null) => {
    opener.current = by ?? document.activeElement
    // The press is answered with a paint at once; the dialog is made right after it.
    startTransition(() => {
      setStep(next)
      setOpened((before) => ({ ...before, [next.what]: true }))
    })
  }
  const close = () => startTransition(() => setStep({ what: "none" }))
  // What opened it may be gone: a row with its key, the empty state with the first one.
  const focusAfter = () => {
    const before = opener.current
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) return before
    return document.querySelector<HTMLElement>("[data-create-key]") ?? document.getElementById("content")
  }
  return (
    <DialogsContext
      value={{
        create: (from, by) => open({ what: "create", from }, by),
        revoke: (entry, by) => open({ what: "revoke", entry }, by),
      }}
    >
      {children}
      <Suspense>
        {opened.create ? (
          <CreateDialog
            open={step.what === "create"}
            from={step.what === "create" ? step.from : null}
            baseUrl={baseUrl}
            sample={sample}
            onClose={close}
            finalFocus={focusAfter}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {opened.revoke ? (
          <RevokeDialog
            entry={step.what === "revoke" ? step.entry : null}
            onClose={close}
            onRevoked={() => {
              // Its button is about to go.
              opener.current = null
              close()
            }}
            finalFocus={focusAfter}
          />
        ) : null}
      </Suspense>
    </DialogsContext>
  )
}

/** Opens the form for a new key. */
export function CreateKeyButton() {
  const { create } = useKeyDialogs()
  return (
    <Button data-create-key {...loadsCreate} onClick={() => create(null)}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )
}

/** Opens the form for a new key like this one. */
export function DuplicateKeyButton({ entry, variant = "secondary" }: { entry: KeySummary; variant?: ButtonVariant }) {
  const { create } = useKeyDialogs()
  return (
    <Button variant={variant} {...loadsCreate} onClick={() => create(entry)}>
      Duplicate
    </Button>
  )
}

/** Asks whether to revoke this key. */
export function RevokeKeyButton({ entry }: { entry: KeySummary }) {
  const { revoke } = useKeyDialogs()
  return (
    <Button variant="secondary" {...loadsRevoke} onClick={() => revoke(entry)}>
      Revoke
    </Button>
  )
}
