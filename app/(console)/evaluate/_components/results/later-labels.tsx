"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { columnsRead } from "@/lib/shared/evaluate/rows/read-rows"
import { labelsOf } from "@/lib/shared/evaluate/run/asked-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { shortText } from "@/lib/shared/long-runs"
import { useOpenSet } from "../../model/open-set"
import { JoinLabels } from "../rows/join-labels"
import { LabelChoices } from "../rows/label-fields"

interface LaterLabelsProps {
  run: EvaluationRun
  /** The questions of the run that have a column of right answers. */
  labelled: readonly string[]
}

/** Lets the user choose right answers for questions that were run without them. */
export function LaterLabels({ run, labelled }: LaterLabelsProps) {
  const questions = useOpenSet(({ set }) => set.form.questions)
  const missing = run.form.questions.map(({ name }) => name).filter((name) => !labelled.includes(name))
  const [shown] = useState(missing)
  const open = shown.filter((name) => questions.some((question) => question.name === name))
  return (
    <>
      <LabelsThatWereRead run={run} />
      {missing.length > 0 ? (
        <Alert
          title={
            labelled.length === 0
              ? "No question of this run has right answers yet"
              : `These questions have no right answers yet: ${missing.map(shortText).join(", ")}`
          }
        >
          {open.length > 0
            ? "Choose the column that holds them, or join them from another file. The answers of the run are kept, so nothing is sent or paid again."
            : "The set no longer has the question. Add it again under the same name, then choose the column of its right answers."}
        </Alert>
      ) : null}
      <LabelChoices names={open} />
      <JoinLabels />
    </>
  )
}

/** Warns when the model read a column that later became the right answers: its figures are worth nothing then. */
function LabelsThatWereRead({ run }: { run: EvaluationRun }) {
  const set = useOpenSet((state) => state.set)
  const read = columnsRead(set, run.mapping)
  const leaked = labelsOf(set, run).filter(({ column }) => read.includes(column))
  if (leaked.length === 0) return null
  return (
    <Alert tone="danger" title="The model read the right answers">
      {leaked
        .map(
          ({ question, column }) =>
            `The column “${shortText(column)}” holds the answers of “${question}”, and this run sent it to the model.`,
        )
        .join(" ")}{" "}
      These figures say nothing about the model. Run the set again without the column.
    </Alert>
  )
}
