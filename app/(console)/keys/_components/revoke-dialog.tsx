"use client"
import { useState } from "react"
import type { ActionError } from "@/components/form/action-result"
import { FormError } from "@/components/form/form-error"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import { FieldError } from "@/components/ui/field"
import { Time } from "@/components/ui/time"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { revokeKeyAction } from "../actions"

interface RevokeDialogProps {
  /** The key to revoke; null while nobody asks. */
  entry: KeySummary | null
  onClose: () => void
  onRevoked: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks before a key is revoked, saying what it was and when it was last used. */
export function RevokeDialog({ entry, onClose, onRevoked, finalFocus }: RevokeDialogProps) {
  // What is asked about stays to be read while the dialog fades.
  const [asked, setAsked] = useState(entry)
  if (entry && entry !== asked) setAsked(entry)
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={(open) => (open || busy ? undefined : onClose())}
      finalFocus={finalFocus}
      title={<span className="break-words">Revoke “{asked?.name}”</span>}
      description="Anything using this key will stop working."
    >
      {asked ? (
        <RevokeForm key={asked.id} entry={asked} onBusy={setBusy} onClose={onClose} onRevoked={onRevoked} />
      ) : null}
    </Dialog>
  )
}

interface RevokeFormProps {
  entry: KeySummary
  onBusy: (busy: boolean) => void
  onClose: () => void
  onRevoked: () => void
}

function RevokeForm({ entry, onBusy, onClose, onRevoked }: RevokeFormProps) {
  const [understood, setUnderstood] = useState(false)
  const [missing, setMissing] = useState(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<ActionError | null>(null)
  const setBusy = (busy: boolean) => {
    setPending(busy)
    onBusy(busy)
  }
  const revoke = async () => {
    if (!understood) return setMissing(true)
    setBusy(true)
    const result = await revokeKeyAction({ id: entry.id }).catch(() => null)
    setBusy(false)
    if (result?.ok) onRevoked()
    else setError(result?.error ?? { code: "unreachable", message: "The server did not answer. Try again." })
  }
  return (
    <>
      <p>
        {entry.lastUsedAt ? (
          <>
            <span className="font-mono text-sm">{entry.masked}</span> was last used <Time at={entry.lastUsedAt} />.
          </>
        ) : (
          <>
            No use of <span className="font-mono text-sm">{entry.masked}</span> has been recorded.
          </>
        )}
      </p>
      <div className="flex flex-col gap-1.5">
        <Checkbox
          label="I understand this can't be undone."
          checked={understood}
          aria-invalid={missing && !understood ? true : undefined}
          aria-describedby={missing && !understood ? "revoke-missing" : undefined}
          onChange={(event) => setUnderstood(event.target.checked)}
        />
        <div role="alert">
          <FieldError id="revoke-missing">
            {missing && !understood ? "Tick the box to revoke the key." : null}
          </FieldError>
        </div>
      </div>
      <FormError error={error} />
      <DialogActions>
        <Button variant="secondary" onClick={() => (pending ? undefined : onClose())}>
          Keep key
        </Button>
        <Button variant="danger" pending={pending} pendingLabel="Revoking…" onClick={revoke}>
          Revoke key
        </Button>
      </DialogActions>
    </>
  )
}
