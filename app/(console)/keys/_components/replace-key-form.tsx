"use client"
import { FormField } from "@/components/form/form-field"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { DialogActions, DialogCancel } from "@/components/ui/dialog"
import type { CreatedKey, KeySummary } from "@/lib/shared/keys/schema"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { replaceKeyAction } from "../actions"

interface ReplaceKeyFormProps {
  entry: KeySummary
  onPending: (pending: boolean) => void
  onReplaced: (replaced: CreatedKey) => void
}

export function ReplaceKeyForm({ entry: { id, oldSecret }, onPending, onReplaced }: ReplaceKeyFormProps) {
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/keys/schema")).ReplaceKeyInput,
    defaultValues: { id, overlapHours: "24" },
    action: async (input: { id: string; overlapHours: string }) => {
      onPending(true)
      return replaceKeyAction(input).finally(() => onPending(false))
    },
    onDone: onReplaced,
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <ConfirmOrError error={formError} submitLabel="Replace secret" />
      <FormField
        form={form}
        name="overlapHours"
        label="Hours that the old secret still works"
        hint="0 to 24. With 0, requests with it are refused at once. You can end it earlier on the key's page."
        inputMode="numeric"
        required
      />
      {oldSecret ? (
        <Alert tone="warn">
          <span className="font-mono text-sm">{oldSecret.masked}</span>, which was replaced before, stops working at
          once.
        </Alert>
      ) : null}
      <DialogActions>
        <DialogCancel />
        <Button type="submit" pending={pending} pendingLabel="Replacing…">
          Replace secret
        </Button>
      </DialogActions>
    </form>
  )
}
