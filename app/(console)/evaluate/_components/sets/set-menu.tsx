"use client"
import { lazy, Suspense, useRef, useState } from "react"
import { RowMenu } from "@/components/ui/row-menu"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import { contentsOf } from "../../model/evaluation-store"
import { download, fileName } from "../download"

const load = () => import("./set-dialogs")
const RemoveDialog = lazy(async () => ({ default: (await load()).RemoveDialog }))
const RenameDialog = lazy(async () => ({ default: (await load()).RenameDialog }))

async function exportSet(set: EvaluationSet): Promise<void> {
  const { writeSetFile } = await import("@/lib/shared/evaluate/export/set-file")
  const text = writeSetFile(set, await contentsOf(set.id))
  download(fileName(set.name, ".evaluation.json"), text, "application/json")
}

interface SetMenuProps {
  set: EvaluationSet
  onRenamed: (name: string) => void
  onRemoved: () => void
}

export function SetMenu({ set, onRenamed, onRemoved }: SetMenuProps) {
  const [open, setOpen] = useState<"rename" | "remove" | null>(null)
  const [isUsed, setUsed] = useState(false)
  const opener = useRef<HTMLButtonElement | null>(null)
  const show = (dialog: "rename" | "remove") => (button: HTMLButtonElement | null) => {
    opener.current = button
    setUsed(true)
    setOpen(dialog)
  }
  const dialog = { set, onClose: () => setOpen(null), finalFocus: () => opener.current }
  return (
    <>
      <RowMenu
        label={`Actions for ${set.name}`}
        actions={[
          { label: "Rename", onSelect: show("rename") },
          { label: "Export as a file", onSelect: () => void exportSet(set) },
          { label: "Remove", onSelect: show("remove"), isDanger: true },
        ]}
      />
      {isUsed ? (
        <Suspense>
          <RenameDialog {...dialog} open={open === "rename"} onRenamed={onRenamed} />
          <RemoveDialog {...dialog} open={open === "remove"} onRemoved={onRemoved} />
        </Suspense>
      ) : null}
    </>
  )
}
