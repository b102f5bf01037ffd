"use client"
import { Plus } from "lucide-react"
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react"
import { PendingPress } from "@/components/link/pending-press"
import { preloadOnApproach } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { RowMenu } from "@/components/ui/row-menu"
import type { KeyRules } from "@/lib/shared/keys/key-rules"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { KeyDraft, KeySummary } from "@/lib/shared/keys/schema"
import { preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { useAsked } from "../../_components/use-asked"
import { pauseForm, renameForm, resumeForm } from "./manage-forms"
import { revokeForm } from "./revoke-form"

// The form and its schema load on demand, so pages do not wait for them.
const loadSecret = () => import("./secret-dialog")
const SecretDialog = lazy(async () => ({ default: (await loadSecret()).SecretDialog }))
const preloadSecret = preloadOnApproach(loadSecret)

/** Each dialog returns the focus to `opener`, by default the element that has it now. */
interface Dialogs {
  /** Opens the form for a new key, prefilled from `from` if given. */
  create: (from: KeySummary | null, opener?: HTMLElement | null) => void
  /** Opens the form that gives a key a new secret. */
  replace: (key: KeySummary, opener?: HTMLElement | null) => void
  rename: (key: KeySummary, opener?: HTMLElement | null) => void
  pauseOrResume: (key: KeySummary, opener?: HTMLElement | null) => void
  revoke: (keys: readonly KeySummary[], opener?: HTMLElement | null) => void
  /** Whether the user's role may create and revoke keys. Without it, the buttons are not shown. */
  mayManage: boolean
}

const DialogsContext = createContext<Dialogs>({
  create: () => {},
  replace: () => {},
  rename: () => {},
  pauseOrResume: () => {},
  revoke: () => {},
  mayManage: false,
})

export const useKeyDialogs = (): Dialogs => useContext(DialogsContext)

interface KeyDialogsProps {
  baseUrl: string
  sample: SpendSample
  rules: KeyRules
  mayManage: boolean
  /** Whether to open the form for a new key with what was typed before a confirmation by e-mail. */
  resume?: boolean
  children: ReactNode
}

/** What a new key starts with: the settings of another one, or what was typed before a confirmation. Or a key that gets a new secret. */
interface Start {
  from: KeySummary | null
  replaced: KeySummary | null
  draft: KeyDraft | null
}

/** Tracks the form for a new secret, and which element receives the focus when it closes. */
function useCreation() {
  // It stays after closing, so that the dialog can fade out.
  const [start, setStart] = useState<Start | null>(null)
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<Element | null>(null)
  const open = (next: Start, by?: HTMLElement | null) => {
    opener.current = by ?? document.activeElement
    // A transition lets the browser paint the pressed button before React renders the dialog.
    startTransition(() => {
      setStart(next)
      setOpen(true)
    })
  }
  const close = () => startTransition(() => setOpen(false))
  // The opener may have been removed with the empty state after the first key.
  const returnedTo = useRef<HTMLElement | null>(null)
  const finalFocus = () => {
    const before = opener.current
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
    const create = document.querySelector<HTMLElement>("[data-create-key]")
    returnedTo.current = isThere ? before : (create ?? document.getElementById("content"))
    return returnedTo.current
  }
  // The list may replace the empty state after the dialog has closed. The focused button is removed then.
  useEffect(() => {
    if (returnedTo.current?.isConnected === false && document.activeElement === document.body) finalFocus()?.focus()
  })
  return { start, isOpen, open, close, finalFocus }
}

/** Opens the form for a new key after a confirmation by e-mail, and for `?create=1`, which the command menu links to. */
function useOpeningByAddress(
  { resume, mayManage }: { resume: boolean; mayManage: boolean },
  openForm: (draft: KeyDraft | null) => void,
): void {
  const onResume = useEffectEvent(async () => {
    const { takeKeyDraft } = await import("@/lib/shared/keys/key-draft")
    const draft = takeKeyDraft()
    if (draft) openForm(draft)
  })
  useEffect(() => {
    if (resume && mayManage) void onResume()
  }, [resume, mayManage])
  useAsked("create", () => mayManage && openForm(null))
}

/**
 * Renders the dialogs outside the content of the page. When the first key is created, the list replaces its empty
 * state. The dialog must stay mounted then, because the new secret exists only in its state.
 */
export function KeyDialogs({ baseUrl, sample, rules, mayManage, resume = false, children }: KeyDialogsProps) {
  const { start, isOpen, open, close, finalFocus } = useCreation()
  const { show, dialog } = useFormDialog()
  useOpeningByAddress({ resume, mayManage }, (draft) => open({ from: null, replaced: null, draft }))
  return (
    <DialogsContext
      value={{
        create: (from, by) => open({ from, replaced: null, draft: null }, by),
        replace: (replaced, by) => open({ from: null, replaced, draft: null }, by),
        rename: (entry, by) => show(renameForm(entry), by),
        pauseOrResume: (entry, by) => show(entry.status === "paused" ? resumeForm(entry) : pauseForm(entry), by),
        revoke: (entries, by) => show(revokeForm(entries), by),
        mayManage,
      }}
    >
      {children}
      {dialog}
      {start ? (
        <Suspense fallback={<PendingPress />}>
          <SecretDialog
            {...start}
            open={isOpen}
            baseUrl={baseUrl}
            sample={sample}
            rules={rules}
            onClose={close}
            finalFocus={finalFocus}
          />
        </Suspense>
      ) : null}
    </DialogsContext>
  )
}

export function CreateKeyButton() {
  const { create, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button data-create-key {...preloadSecret} onClick={() => create(null)}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )
}

export function DuplicateKeyButton({ entry }: { entry: KeySummary }) {
  const { create, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button variant="secondary" {...preloadSecret} onClick={() => create(entry)}>
      Duplicate
    </Button>
  )
}

export function ReplaceKeyButton({ entry }: { entry: KeySummary }) {
  const { replace, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button variant="secondary" {...preloadSecret} onClick={() => replace(entry)}>
      Replace secret
    </Button>
  )
}

export function RevokeKeyButton({ entry }: { entry: KeySummary }) {
  const { revoke, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button variant="secondary" {...preloadFormDialog} onClick={() => revoke([entry])}>
      Revoke
    </Button>
  )
}

/** Renders the menu of one row. A revoked key can only be duplicated, and an expired one gets no new secret. */
export function KeyActions({ entry, label }: { entry: KeySummary; label: string }) {
  const { create, replace, rename, pauseOrResume, revoke, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  const { status } = entry
  const action = (text: string, onSelect: (opener: HTMLElement | null) => void) => ({ label: text, onSelect })
  const duplicate = action("Duplicate", (opener) => create(entry, opener))
  const usable = [
    action("Replace secret", (opener) => replace(entry, opener)),
    action(status === "paused" ? "Resume" : "Pause", (opener) => pauseOrResume(entry, opener)),
  ]
  const changing = [
    action("Rename", (opener) => rename(entry, opener)),
    duplicate,
    ...(status === "expired" ? [] : usable),
    { ...action("Revoke", (opener) => revoke([entry], opener)), isDanger: true },
  ]
  return <RowMenu label={`Actions for ${label}`} actions={status === "revoked" ? [duplicate] : changing} />
}
