"use client"
import { useState } from "react"
import { Dialog } from "@/components/ui/dialog"
import type { KeyRules } from "@/lib/shared/keys/key-rules"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { CreatedKey, KeyDraft, KeySummary } from "@/lib/shared/keys/schema"
import { CreateKeyForm } from "./create-key-form"
import { CreatedKeyView } from "./created-key-view"
import { ReplaceKeyForm } from "./replace-key-form"
import { useLeaveGuard } from "./use-leave-guard"

interface Of {
  /** The key to copy settings from; null for an empty form. */
  from: KeySummary | null
  /** The key that gets a new secret; null for a new key. */
  replaced: KeySummary | null
}

interface SecretDialogProps extends Of {
  open: boolean
  /** What was typed before a confirmation by e-mail; null for an empty form. */
  draft: KeyDraft | null
  baseUrl: string
  sample: SpendSample
  rules: KeyRules
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

function titleOf(created: CreatedKey | null, { from, replaced }: Of) {
  if (created) return replaced ? "Secret replaced" : "API key created"
  if (replaced) return <span className="break-words">Replace the secret of “{replaced.name}”</span>
  return from ? <span className="break-words">Duplicate “{from.name}”</span> : "Create key"
}

function descriptionOf(created: CreatedKey | null, { from, replaced }: Of): string | undefined {
  if (created) return "Copy it now. You won't be able to see it again."
  if (replaced) return "The key keeps its id, name, limit and usage. Only its secret changes."
  return from ? "This creates a new key with its own secret. The original key does not change." : undefined
}

/**
 * Shows the form for a new key or a new secret of a key, then that secret. The secret exists only in this component's state and is cleared on
 * closing.
 */
export function SecretDialog({ open, baseUrl, onClose, finalFocus, ...of }: SecretDialogProps) {
  const { from, replaced, draft, sample, rules } = of
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const [pending, setPending] = useState(false)
  const [copied, setCopied] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  useLeaveGuard(created !== null && !copied, () => setIsConfirming(true))

  const close = () => {
    setCreated(null)
    setCopied(false)
    setIsConfirming(false)
    onClose()
  }
  // Closing now would lose a key that is being created. A key that was not copied needs one confirmation.
  const requestClose = () => {
    if (pending) return
    if (created && !copied && !isConfirming) setIsConfirming(true)
    else close()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : requestClose())}
      finalFocus={finalFocus}
      title={titleOf(created, of)}
      description={descriptionOf(created, of)}
    >
      {created ? (
        <CreatedKeyView
          created={created}
          baseUrl={baseUrl}
          isConfirming={isConfirming}
          onCopied={() => {
            setCopied(true)
            setIsConfirming(false)
          }}
          onKeepOpen={() => setIsConfirming(false)}
          onDone={requestClose}
        />
      ) : replaced ? (
        <ReplaceKeyForm key={replaced.id} entry={replaced} onPending={setPending} onReplaced={setCreated} />
      ) : (
        <CreateKeyForm
          key={from?.id ?? "new"}
          from={from}
          draft={draft}
          sample={sample}
          rules={rules}
          onPending={setPending}
          onCreated={setCreated}
        />
      )}
    </Dialog>
  )
}
