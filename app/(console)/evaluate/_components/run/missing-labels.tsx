"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { shortText } from "@/lib/shared/long-runs"
import { useOpenSet } from "../../model/open-set"
import { LabelChoices } from "../rows/label-fields"

/** Warns before a run that it will show no error rates, and lets the user choose the right answers here. */
export function MissingLabels() {
  const questions = useOpenSet(({ set }) => set.form.questions)
  const labels = useOpenSet(({ set }) => set.mapping.labels)
  const missing = questions.map(({ name }) => name).filter((name) => labels.every(({ question }) => question !== name))
  // A question keeps its fields after the choice, because the column may need another answer.
  const [shown] = useState(missing)
  if (shown.length === 0) return null
  const isAll = missing.length === questions.length
  return (
    <>
      {missing.length > 0 ? (
        <Alert
          tone="warn"
          title={
            isAll
              ? "No right answers chosen: this run will show no error rates"
              : `No right answers chosen for ${missing.map((name) => `“${shortText(name)}”`).join(", ")}: this run will show no error rates of ${missing.length === 1 ? "it" : "them"}`
          }
        >
          Choose the column now, or after the run. Nothing is paid again for it.
        </Alert>
      ) : null}
      <LabelChoices names={shown} />
    </>
  )
}
