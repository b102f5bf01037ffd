"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import type { ActionError } from "@/components/form/use-action-form"
import { UNREACHABLE } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import type { ModelReport } from "@/lib/server/models/report-models"
import { useFocusAfter } from "../../../_components/form-dialog"
import { probeModelAction } from "../actions"
import type { ModelDialogProps } from "./model-dialogs"

export function ProbeDialog({ model, open, opener, onClose }: ModelDialogProps) {
  const focusAfter = useFocusAfter(open, opener)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Probe the engine"
      description={`Sends small test questions to the engine of ${model?.id ?? ""}. Nobody is charged.`}
      finalFocus={focusAfter}
    >
      <Probe id={model?.id ?? ""} />
    </Dialog>
  )
}

function Probe({ id }: { id: string }) {
  const [report, setReport] = useState<ModelReport | null>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const [pending, setPending] = useState(false)
  const probe = async () => {
    setPending(true)
    const result = await probeModelAction({ id }).catch(() => ({ ok: false as const, error: UNREACHABLE }))
    setPending(false)
    setReport(result.ok ? result.data : null)
    setError(result.ok ? null : result.error)
  }
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="empty:hidden">
        {report ? <Report report={report} /> : null}
      </div>
      <FormError error={error} />
      <DialogActions>
        <DialogCancel>Close</DialogCancel>
        <Button onClick={probe} pending={pending} pendingLabel="Probing…">
          {report ? "Probe again" : "Probe"}
        </Button>
      </DialogActions>
    </div>
  )
}

function Report({ report: { available, reason, caution, findings } }: { report: ModelReport }) {
  return (
    <div className="flex flex-col gap-3">
      {available ? (
        <Alert tone="ok" title="The engine answers as the model should">
          {caution}
        </Alert>
      ) : (
        <Alert tone="danger" title="The model cannot be called">
          {reason}
        </Alert>
      )}
      {findings.length > 0 ? (
        <dl className="flex flex-col gap-2">
          {findings.map(({ name, value, meaning }) => (
            <div key={name}>
              <dt className="font-medium">
                {name}: {value}
              </dt>
              <dd className="text-ink-muted text-sm">{meaning}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}
