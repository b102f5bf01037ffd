"use client"
import { Plus } from "lucide-react"
import { useSearchParams } from "next/navigation"
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
import { preloadOnApproach } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { RowMenu } from "@/components/ui/row-menu"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { KeyDraft, KeySummary } from "@/lib/shared/keys/schema"

// The forms and their schemas load on demand, so pages do not wait for them.
const loadCreate = () => import("./create-dialog")
const loadRevoke = () => import("./revoke-dialog")
const CreateDialog = lazy(async () => ({ default: (await loadCreate()).CreateDialog }))
const RevokeDialog = lazy(async () => ({ default: (await loadRevoke()).RevokeDialog }))
const preloadCreate = preloadOnApproach(loadCreate)
const preloadRevoke = preloadOnApproach(loadRevoke)

const NO_KEYS: readonly KeySummary[] = []

/** Each dialog returns the focus to `opener`, by default the element that has it now. */
interface Dialogs {
  /** Opens the form for a new key, prefilled from `from` if given. */
  create: (from: KeySummary | null, opener?: HTMLElement | null) => void
  revoke: (keys: readonly KeySummary[], opener?: HTMLElement | null) => void
  /** Whether the user's role may create and revoke keys. Without it, the buttons are not shown. */
  mayManage: boolean
}

const DialogsContext = createContext<Dialogs>({ create: () => {}, revoke: () => {}, mayManage: false })

export const useKeyDialogs = (): Dialogs => useContext(DialogsContext)

interface KeyDialogsProps {
  baseUrl: string
  sample: SpendSample
  mayManage: boolean
  /** Whether to open the form for a new key with what was typed before a confirmation by e-mail. */
  resume?: boolean
  children: ReactNode
}

type Step =
  | { what: "none" }
  | { what: "create"; from: KeySummary | null; draft: KeyDraft | null }
  | { what: "revoke"; entries: readonly KeySummary[] }

/** Tracks which dialog is open, and which element receives the focus when it closes. */
function useStep() {
  const [step, setStep] = useState<Step>({ what: "none" })
  // A dialog stays mounted after the first opening, so that it can fade out.
  const [opened, setOpened] = useState({ create: false, revoke: false })
  const opener = useRef<Element | null>(null)
  const open = (next: Step, by?: HTMLElement | null) => {
    opener.current = by ?? document.activeElement
    // A transition lets the browser paint the pressed button before React renders the dialog.
    startTransition(() => {
      setStep(next)
      setOpened((before) => ({ ...before, [next.what]: true }))
    })
  }
  // A dialog that fades out while another one opens must close only itself.
  const close = (what: "create" | "revoke") =>
    startTransition(() => setStep((now) => (now.what === what ? { what: "none" } : now)))
  // The opener may have been removed with the row of a revoked key, or with the empty state after the first key.
  const returnedTo = useRef<HTMLElement | null>(null)
  const focusAfter = () => {
    const before = opener.current
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
    const create = document.querySelector<HTMLElement>("[data-create-key]")
    returnedTo.current = isThere ? before : (create ?? document.getElementById("content"))
    return returnedTo.current
  }
  // The list may replace the empty state after the dialog has closed. The focused button is removed then.
  useEffect(() => {
    if (returnedTo.current?.isConnected === false && document.activeElement === document.body) focusAfter()?.focus()
  })
  const onRevoked = () => {
    // The opener disappears with the row.
    opener.current = null
    close("revoke")
  }
  return { step, opened, open, close, onRevoked, focusAfter }
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
  const isAsked = useSearchParams().get("create") === "1" && mayManage
  const onAsked = useEffectEvent(() => {
    // A reload must not open it again.
    window.history.replaceState(null, "", "/keys")
    openForm(null)
  })
  useEffect(() => {
    if (isAsked) onAsked()
  }, [isAsked])
}

/**
 * Renders the dialogs outside the content of the page. When the first key is created, the list replaces its empty
 * state. The dialog must stay mounted then, because the new secret exists only in its state.
 */
export function KeyDialogs({ baseUrl, sample, mayManage, resume = false, children }: KeyDialogsProps) {
  const { step, opened, open, close, onRevoked, focusAfter } = useStep()
  useOpeningByAddress({ resume, mayManage }, (draft) => open({ what: "create", from: null, draft }))
  return (
    <DialogsContext
      value={{
        create: (from, by) => open({ what: "create", from, draft: null }, by),
        revoke: (entries, by) => open({ what: "revoke", entries }, by),
        mayManage,
      }}
    >
      {children}
      <Suspense>
        {opened.create ? (
          <CreateDialog
            open={step.what === "create"}
            from={step.what === "create" ? step.from : null}
            draft={step.what === "create" ? step.draft : null}
            baseUrl={baseUrl}
            sample={sample}
            onClose={() => close("create")}
            finalFocus={focusAfter}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {opened.revoke ? (
          <RevokeDialog
            entries={step.what === "revoke" ? step.entries : NO_KEYS}
            onClose={() => close("revoke")}
            onRevoked={onRevoked}
            finalFocus={focusAfter}
          />
        ) : null}
      </Suspense>
    </DialogsContext>
  )
}

export function CreateKeyButton() {
  const { create, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button data-create-key {...preloadCreate} onClick={() => create(null)}>
      <Plus aria-hidden className="size-4" />
      Create key
    </Button>
  )
}

export function DuplicateKeyButton({ entry }: { entry: KeySummary }) {
  const { create, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button variant="secondary" {...preloadCreate} onClick={() => create(entry)}>
      Duplicate
    </Button>
  )
}

export function RevokeKeyButton({ entry }: { entry: KeySummary }) {
  const { revoke, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  return (
    <Button variant="secondary" {...preloadRevoke} onClick={() => revoke([entry])}>
      Revoke
    </Button>
  )
}

/** Renders the menu of one row. A revoked key can still be duplicated. */
export function KeyActions({ entry, label }: { entry: KeySummary; label: string }) {
  const { create, revoke, mayManage } = useKeyDialogs()
  if (!mayManage) return null
  const duplicateAction = { label: "Duplicate", onSelect: (opener: HTMLElement | null) => create(entry, opener) }
  const revokeAction = {
    label: "Revoke",
    isDanger: true,
    onSelect: (opener: HTMLElement | null) => revoke([entry], opener),
  }
  return (
    <RowMenu
      label={`Actions for ${label}`}
      actions={entry.status === "revoked" ? [duplicateAction] : [duplicateAction, revokeAction]}
    />
  )
}
