"use client"
import { FormField } from "@/components/form/form-field"
import { RowMenu } from "@/components/ui/row-menu"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf } from "@/lib/shared/format"
import { dialogForm, useFormDialog } from "../../../_components/form-dialog"
import { removeSet, runsOf } from "../../model/evaluation-store"
import { withSetLock } from "../../run/set-lock"

const refused = (message: string, param?: string) => ({
  ok: false as const,
  error: { code: "invalid_request", message, param },
})

const NOT_STORED = "This browser did not store it. Remove a set that you no longer need, and try again."

const renameForm = (set: EvaluationSet, onRename: SetMenuProps["onRename"]) =>
  dialogForm({
    title: "Rename the set",
    defaultValues: { name: set.name },
    action: async ({ name }: { name: string }) => {
      if (name.trim() === "") return refused("Enter a name.", "name")
      return onRename(name.trim()).then(
        () => ({ ok: true as const, data: null }),
        () => refused(NOT_STORED),
      )
    },
    submitLabel: "Rename",
    pendingLabel: "Renaming…",
    fields: (form) => <FormField form={form} name="name" label="Name" maxLength={100} />,
  })

/** Names what a set contains: "its 300 rows and 2 runs with 286 paid answers". */
function contentsOf({ rowCount }: EvaluationSet, runs: readonly EvaluationRun[]): string {
  const rows = `its ${countOf(rowCount, "row")}`
  if (runs.length === 0) return rows
  const answers = runs.reduce((sum, { totals }) => sum + totals.answered, 0)
  const isPaid = runs.some(({ totals }) => Number(totals.costUsd) > 0)
  return `${rows} and ${countOf(runs.length, "run")} with ${countOf(answers, isPaid ? "paid answer" : "answer")}`
}

const removeForm = (set: EvaluationSet, runs: readonly EvaluationRun[], onDone: () => void) =>
  dialogForm({
    title: <span className="break-words">Remove “{set.name}”</span>,
    description: `This removes ${contentsOf(set, runs)} from this browser. Export the set first if you may need them.`,
    defaultValues: {},
    action: async () => {
      // A run would go on, and store what it found for a set that is gone.
      const isRemoved = await withSetLock(set.id, () => removeSet(set.id)).catch(() => null)
      if (isRemoved === null) return refused("This browser could not remove the set. Reload the page, and try again.")
      if (isRemoved) return { ok: true as const, data: null }
      return refused("A run of this set is under way. Pause or cancel it first.")
    },
    onDone,
    submitLabel: "Remove set",
    pendingLabel: "Removing…",
    isDanger: true,
  })

interface SetMenuProps {
  set: EvaluationSet
  onExport: (set: EvaluationSet) => void
  /** Rejects when the browser cannot store the name. */
  onRename: (name: string) => Promise<void>
  onRemoved: () => void
}

export function SetMenu({ set, onExport, onRename, onRemoved }: SetMenuProps) {
  const { show, dialog } = useFormDialog()
  const remove = async (opener: HTMLButtonElement | null) => {
    const runs = await runsOf(set.id).catch(() => [])
    show(removeForm(set, runs, onRemoved), opener)
  }
  return (
    <>
      <RowMenu
        label={`Actions for ${set.name}`}
        actions={[
          { label: "Rename", onSelect: (opener) => show(renameForm(set, onRename), opener) },
          { label: "Export as a file", onSelect: () => onExport(set) },
          { label: "Remove", onSelect: (opener) => void remove(opener), isDanger: true },
        ]}
      />
      {dialog}
    </>
  )
}
