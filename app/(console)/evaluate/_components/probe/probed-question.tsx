"use client"
import { type ReactNode, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import type { CheckedQuestion } from "@/questions/question-types"
import type { EvaluationRun } from "../../model/evaluation-run"
import { useOpenSet } from "../../model/open-set"
import { questionsOf } from "../../model/read-rows"
import { type ProbedRow, probedRows } from "../../probe/probed-rows"

export interface ProbedQuestionProps {
  run: EvaluationRun
  question: CheckedQuestion
  rows: ProbedRow[]
}

interface ProbedProps {
  run: EvaluationRun
  render: (props: ProbedQuestionProps) => ReactNode
}

/** Lets the user choose one question of a probe, and renders the rows that answered it. */
export function ProbedQuestion({ run, render }: ProbedProps) {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const results = useOpenSet((state) => state.results)
  const questions = useMemo(() => questionsOf(run.form), [run.form])
  const [chosen, setChosen] = useState(0)
  const probed = useMemo(() => probedRows(set, rows, run, results, chosen), [set, rows, run, results, chosen])
  const question = questions[chosen]
  if (!question) return null
  return (
    <div className="flex flex-col gap-8">
      {questions.length > 1 ? (
        <Field label="Question" className="max-w-xl">
          <Select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {questions.map(({ name }, at) => (
              <option key={name} value={at}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      <h2 className="wrap-anywhere -mb-4 font-semibold text-lg">
        <span className="sr-only">Probe of </span>
        {question.name}
      </h2>
      {probed.length > 0 ? (
        render({ run, question, rows: probed })
      ) : (
        <Alert title="No row was answered as it is">Send the failed requests again, or start another probe.</Alert>
      )}
    </div>
  )
}
