"use client"
import { useEffect, useState } from "react"
import { Dialog } from "@/components/ui/dialog"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { CreatedKey, KeySummary } from "@/lib/shared/keys/schema"
import { CreateKeyForm } from "./create-key-form"
import { CreatedKeyView } from "./created-key-view"

interface CreateDialogProps {
  open: boolean
  /** The key that the new one is to be like. */
  from: KeySummary | null
  baseUrl: string
  sample: SpendSample
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** While a secret is on show and not copied, the browser asks too before it leaves the page. */
function useLeaveGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", ask)
    return () => window.removeEventListener("beforeunload", ask)
  }, [isOn])
}

function titleOf(created: CreatedKey | null, from: KeySummary | null) {
  if (created) return "API key created"
  return from ? <span className="break-words">Duplicate “{from.name}”</span> : "Create key"
}

function descriptionOf(created: CreatedKey | null, from: KeySummary | null): string | undefined {
  if (created) return "Copy it now, you won't be able to see it again."
  return from ? "A new key with a secret of its own. The old one goes on working until you revoke it." : undefined
}

/** The form of a new key, then the only sight of its secret, which lives in this state alone: closing clears it. */
export function CreateDialog({ open, from, baseUrl, sample, onClose, finalFocus }: CreateDialogProps) {
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const [pending, setPending] = useState(false)
  const [copied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  // What it is like stays to be read while the dialog fades.
  const [like, setLike] = useState(from)
  if (open && from !== like) setLike(from)
  useLeaveGuard(created !== null && !copied)

  const close = () => {
    setCreated(null)
    setCopied(false)
    setAsks(false)
    onClose()
  }
  // A key on its way would be lost unseen, and one not copied yet is asked about once.
  const requestClose = () => {
    if (pending) return
    if (created && !copied && !asks) setAsks(true)
    else close()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : requestClose())}
      finalFocus={finalFocus}
      title={titleOf(created, like)}
      description={descriptionOf(created, like)}
    >
      {created ? (
        <CreatedKeyView
          created={created}
          baseUrl={baseUrl}
          asks={asks}
          onCopied={() => {
            setCopied(true)
            setAsks(false)
          }}
          onKeepOpen={() => setAsks(false)}
          onDone={requestClose}
        />
      ) : (
        <CreateKeyForm
          key={like?.id ?? "new"}
          from={like}
          sample={sample}
          onPending={setPending}
          onCreated={setCreated}
          onCancel={requestClose}
        />
      )}
    </Dialog>
  )
}
