"use client"
import { type ReactNode, useState } from "react"
import { download, fileName } from "@/components/download"
import { Alert } from "@/components/ui/alert"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import { doInWorker } from "../../files/do-in-worker"

/** Returns a function that saves a set as a file, and what to show when the file could not be made. */
export function useExportSet(): { exportSet: (set: EvaluationSet) => void; failure: ReactNode } {
  const [failed, setFailed] = useState<string | null>(null)
  const exportSet = (set: EvaluationSet) => {
    setFailed(null)
    doInWorker("set", { set }).then(
      (file) => download(fileName(set.name, ".evaluation.json"), file),
      () => setFailed(set.name),
    )
  }
  const failure =
    failed === null ? null : (
      <Alert tone="danger" role="alert" title="The set was not exported" className="wrap-anywhere mb-4 max-w-text">
        The file of “{failed}” could not be made. The set is still in this browser. Load the page again, and try once
        more.
      </Alert>
    )
  return { exportSet, failure }
}
