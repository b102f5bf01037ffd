"use client"
import { useRef, useState } from "react"
import type { ActionError } from "@/components/form/action-result"
import { FormError } from "@/components/form/form-error"
import { Button } from "@/components/ui/button"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import { Time } from "@/components/ui/time"
import type { KeySummary } from "@/lib/keys/schema"
import { revokeKeyAction } from "../actions"

/** Revokes one key, after asking. */
export function RevokeKey({ entry }: { entry: Pick<KeySummary, "id" | "name" | "lastUsedAt"> }) {
  const [open, setOpen] = useState(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<ActionError | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  // A revoked key takes its button with it.
  const focusAfter = () => opener.current ?? document.getElementById("content")
  const ask = (next: boolean) => {
    if (pending) return
    setError(null)
    setOpen(next)
  }
  const revoke = async () => {
    setPending(true)
    const result = await revokeKeyAction({ id: entry.id }).catch(() => null)
    setPending(false)
    if (result?.ok) setOpen(false)
    else setError(result?.error ?? { code: "unreachable", message: "The server did not answer. Try again." })
  }
  return (
    <>
      <Button ref={opener} variant="quiet" size="sm" aria-label={`Revoke ${entry.name}`} onClick={() => ask(true)}>
        Revoke
      </Button>
      <Dialog
        open={open}
        onOpenChange={ask}
        finalFocus={focusAfter}
        title={<span className="break-words">Revoke “{entry.name}”</span>}
        description="Anything using this key will stop working. This cannot be undone."
      >
        <p>
          {entry.lastUsedAt ? (
            <>
              It was last used <Time at={entry.lastUsedAt} />.
            </>
          ) : (
            "No use of it has been recorded."
          )}
        </p>
        <FormError error={error} />
        <DialogActions>
          <Button variant="secondary" onClick={() => ask(false)}>
            Keep key
          </Button>
          <Button variant="danger" pending={pending} pendingLabel="Revoking…" onClick={revoke}>
            Revoke key
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
