"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { FormDialog, preloadFormDialog } from "../../_components/form-dialog"
import { cancelTopupAction } from "../actions"

/** Renders the button that cancels an open checkout, and its confirmation. */
export function CancelTopup({ id, amount }: { id: string; amount: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        aria-label={`Cancel the top-up of ${amount}`}
        {...preloadFormDialog}
        onClick={() => setOpen(true)}
      >
        Cancel
      </Button>
      <FormDialog
        open={isOpen}
        title="Cancel this top-up"
        description={`The checkout for ${amount} ends, and its link stops working. Nothing was charged.`}
        schema={async () => (await import("@/lib/shared/billing/schema")).TopupInput}
        defaultValues={() => ({ id })}
        action={cancelTopupAction}
        onClose={close}
        onDone={close}
        dismissLabel="Keep top-up"
        submitLabel="Cancel top-up"
        pendingLabel="Cancelling…"
      />
    </>
  )
}
