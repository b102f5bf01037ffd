"use client"
import { Button } from "@/components/ui/button"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { cancelTopupAction } from "../actions"

const cancelForm = (id: string, amount: string) =>
  dialogForm({
    title: "Cancel this top-up",
    description: `The checkout for ${amount} ends, and its link stops working. Nothing was charged.`,
    defaultValues: { id },
    action: cancelTopupAction,
    dismissLabel: "Keep top-up",
    submitLabel: "Cancel top-up",
    pendingLabel: "Cancelling…",
  })

/** Renders the button that cancels an open checkout, and its confirmation. */
export function CancelTopup({ id, amount }: { id: string; amount: string }) {
  const { show, dialog } = useFormDialog()
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        aria-label={`Cancel the top-up of ${amount}`}
        {...preloadFormDialog}
        onClick={() => show(cancelForm(id, amount))}
      >
        Cancel
      </Button>
      {dialog}
    </>
  )
}
