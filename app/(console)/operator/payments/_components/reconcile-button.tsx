"use client"
import { Button } from "@/components/ui/button"
import { preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { RECONCILE } from "./payment-forms"

export function ReconcileButton() {
  const { show, dialog } = useFormDialog()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" {...preloadFormDialog} onClick={() => show(RECONCILE)}>
        Check with Stripe
      </Button>
      {dialog}
    </div>
  )
}
