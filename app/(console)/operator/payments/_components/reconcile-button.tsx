"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { countOf } from "@/lib/shared/format"
import { FormDialog } from "../../../_components/form-dialog"
import { reconcilePaymentsAction } from "../actions"

export function ReconcileButton() {
  const [open, setOpen] = useState(false)
  const [done, setDone] = useState("")
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="text-ink-muted">
        {done}
      </p>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Check with Stripe
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Check with Stripe"
        description="Reads Stripe's events since the last time, settles the top-ups that they concern, and retries events that failed. Servers do this every five minutes."
        schema={async () => (await import("@/lib/shared/operator/forms")).Nothing}
        defaultValues={() => ({})}
        action={reconcilePaymentsAction}
        onDone={({ checked }) => {
          setOpen(false)
          setDone(`${countOf(checked, "top-up")} ${checked === 1 ? "was" : "were"} checked.`)
        }}
        submitLabel="Check now"
        pendingLabel="Checking…"
      />
    </div>
  )
}
