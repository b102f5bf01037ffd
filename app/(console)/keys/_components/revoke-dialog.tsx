"use client"
import { useState } from "react"
import { z } from "zod"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import { FieldError } from "@/components/ui/field"
import { Time } from "@/components/ui/time"
import { KeyInput, type KeySummary } from "@/lib/shared/keys/schema"
import { revokeKeyAction } from "../actions"

const RevokeForm = KeyInput.extend({
  isConfirmed: z.boolean().refine((isConfirmed) => isConfirmed, "Select the box to revoke the key."),
})

interface RevokeDialogProps {
  /** The key to revoke; null while the dialog is closed. */
  entry: KeySummary | null
  onClose: () => void
  onRevoked: () => void
  finalFocus: () => HTMLElement | null
}

export function RevokeDialog({ entry, onClose, onRevoked, finalFocus }: RevokeDialogProps) {
  // Keeps the key on screen while the dialog fades out.
  const [shown, setShown] = useState(entry)
  if (entry && entry !== shown) setShown(entry)
  const [pending, setPending] = useState(false)
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={(open) => (open || pending ? undefined : onClose())}
      finalFocus={finalFocus}
      title={<span className="break-words">Revoke “{shown?.name}”</span>}
      description="Anything that uses this key will stop working."
    >
      {shown ? (
        <RevokeKeyForm key={shown.id} entry={shown} onPending={setPending} onClose={onClose} onRevoked={onRevoked} />
      ) : null}
    </Dialog>
  )
}

interface RevokeKeyFormProps {
  entry: KeySummary
  onPending: (pending: boolean) => void
  onClose: () => void
  onRevoked: () => void
}

function RevokeKeyForm({ entry, onPending, onClose, onRevoked }: RevokeKeyFormProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: RevokeForm,
    defaultValues: { id: entry.id, isConfirmed: false },
    action: async ({ id }) => {
      onPending(true)
      return revokeKeyAction({ id }).finally(() => onPending(false))
    },
    onDone: onRevoked,
  })
  const problem = form.formState.errors.isConfirmed?.message
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <LastUse entry={entry} />
      <div className="flex flex-col gap-1.5">
        <Checkbox
          label="I understand this can't be undone."
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? "revoke-problem" : undefined}
          {...form.register("isConfirmed")}
        />
        <div role="alert">
          <FieldError id="revoke-problem">{problem}</FieldError>
        </div>
      </div>
      <FormError error={formError} />
      <DialogActions>
        <Button variant="secondary" onClick={() => (pending ? undefined : onClose())}>
          Keep key
        </Button>
        <Button type="submit" variant="danger" pending={pending} pendingLabel="Revoking…">
          Revoke key
        </Button>
      </DialogActions>
    </form>
  )
}

function LastUse({ entry: { masked, lastUsedAt } }: { entry: KeySummary }) {
  const mask = <span className="font-mono text-sm">{masked}</span>
  return (
    <p>
      {lastUsedAt ? (
        <>
          {mask} was last used <Time at={lastUsedAt} />.
        </>
      ) : (
        <>No use of {mask} has been recorded.</>
      )}
    </p>
  )
}
