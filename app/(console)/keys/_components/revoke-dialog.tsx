"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { FieldError } from "@/components/ui/field"
import { Time } from "@/components/ui/time"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { revokeKeysAction } from "../actions"

interface RevokeDialogProps {
  /** The keys to revoke; none while the dialog is closed. */
  entries: readonly KeySummary[]
  onClose: () => void
  onRevoked: () => void
  finalFocus: () => HTMLElement | null
}

export function RevokeDialog({ entries, onClose, onRevoked, finalFocus }: RevokeDialogProps) {
  // Keeps the keys on screen while the dialog fades out.
  const [shown, setShown] = useState(entries)
  if (entries.length > 0 && entries !== shown) setShown(entries)
  const [first] = shown
  const [pending, setPending] = useState(false)
  return (
    <Dialog
      open={entries.length > 0}
      onOpenChange={(open) => (open || pending ? undefined : onClose())}
      finalFocus={finalFocus}
      title={
        <span className="break-words">
          {shown.length === 1 ? `Revoke “${first?.name}”` : `Revoke ${shown.length} keys`}
        </span>
      }
      description={`Anything that uses ${shown.length === 1 ? "this key" : "these keys"} will stop working.`}
    >
      {first ? (
        <RevokeKeysForm
          key={shown.map(({ id }) => id).join()}
          entries={shown}
          onPending={setPending}
          onRevoked={onRevoked}
        />
      ) : null}
    </Dialog>
  )
}

interface RevokeKeysFormProps {
  entries: readonly KeySummary[]
  onPending: (pending: boolean) => void
  onRevoked: () => void
}

function RevokeKeysForm({ entries, onPending, onRevoked }: RevokeKeysFormProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/schema")).RevokeKeysForm,
    defaultValues: { ids: entries.map(({ id }) => id), isConfirmed: false },
    action: async ({ ids }) => {
      onPending(true)
      return revokeKeysAction({ ids }).finally(() => onPending(false))
    },
    onDone: onRevoked,
  })
  const { errors } = form.formState
  const problem = errors.ids?.message ?? errors.isConfirmed?.message
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {entries.length === 1 ? (
        entries.map((entry) => <LastUse key={entry.id} entry={entry} />)
      ) : (
        <ul className="max-h-48 overflow-y-auto rounded-md border border-line px-3 py-2">
          {entries.map((entry) => (
            <li key={entry.id} className="py-1">
              <span className="break-words font-medium">{entry.name}</span>
              <LastUse entry={entry} />
            </li>
          ))}
        </ul>
      )}
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
        <DialogCancel>{entries.length === 1 ? "Keep key" : "Keep keys"}</DialogCancel>
        <Button type="submit" variant="danger" pending={pending} pendingLabel="Revoking…">
          {entries.length === 1 ? "Revoke key" : `Revoke ${entries.length} keys`}
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
