"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import { removeSet } from "../../model/evaluation-store"
import { withSetLock } from "../../run/set-lock"

interface SetDialogProps {
  set: EvaluationSet
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

const MAX_NAME = 100

interface RenameDialogProps extends SetDialogProps {
  onRenamed: (name: string) => void
}

export function RenameDialog({ set, open, onClose, finalFocus, onRenamed }: RenameDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Rename the set"
      finalFocus={finalFocus}
    >
      <RenameForm set={set} onClose={onClose} onRenamed={onRenamed} />
    </Dialog>
  )
}

/** Holds the typed name. The dialog renders it only while it is open, so an abandoned name is not shown again. */
function RenameForm({ set, onClose, onRenamed }: Pick<RenameDialogProps, "set" | "onClose" | "onRenamed">) {
  const [name, setName] = useState(set.name)
  const isEmpty = name.trim() === ""
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isEmpty) return
        onRenamed(name.trim())
        onClose()
      }}
    >
      <Field label="Name" error={isEmpty ? "Enter a name." : undefined}>
        <Input value={name} maxLength={MAX_NAME} onChange={({ target }) => setName(target.value)} />
      </Field>
      <DialogActions>
        <DialogCancel />
        <Button type="submit">Rename</Button>
      </DialogActions>
    </form>
  )
}

export function RemoveDialog({
  set,
  open,
  onClose,
  finalFocus,
  onRemoved,
}: SetDialogProps & { onRemoved: () => void }) {
  const [isRunning, setRunning] = useState(false)
  const close = () => {
    setRunning(false)
    onClose()
  }
  const remove = async () => {
    // A run would go on, and store what it found for a set that is gone.
    if (!(await withSetLock(set.id, () => removeSet(set.id)))) return setRunning(true)
    close()
    onRemoved()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : close())}
      title={<span className="break-words">Remove “{set.name}”</span>}
      description="Its rows, runs and results are removed from this browser. Export the set first if you may need them."
      finalFocus={finalFocus}
    >
      {isRunning ? (
        <Alert tone="danger" role="alert">
          A run of this set is under way. Pause or cancel it first.
        </Alert>
      ) : null}
      <DialogActions>
        <DialogCancel />
        <Button variant="danger" onClick={remove}>
          Remove set
        </Button>
      </DialogActions>
    </Dialog>
  )
}
