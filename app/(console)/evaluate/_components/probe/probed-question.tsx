"use client"
import { type ReactNode, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import type { CheckedQuestion } from "@/questions/question-types"
import type { EvaluationRun } from "../../model/evaluation-run"
import { useOpenSet } from "../../model/open-set"
import { questionsOf } from "../../model/read-rows"
import { type ProbedRow, probedRows } from "../../probe/probed-rows"
import { QuestionChoice } from "../question-choice"

export interface ProbedQuestionProps {
  run: EvaluationRun
  question: CheckedQuestion
  rows: ProbedRow[]
}

interface ProbedProps {
  run: EvaluationRun
  render: (props: ProbedQuestionProps) => ReactNode
}

/** Lets the user choose one question of a probe, and renders the rows that have an answer to it. */
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
      <QuestionChoice
        names={questions.map(({ name }) => name)}
        chosen={question.name}
        prefix="Probe of"
        onChoose={(name) => setChosen(questions.findIndex((each) => each.name === name))}
      />
      {probed.length > 0 ? (
        render({ run, question, rows: probed })
      ) : (
        <Alert title="No row was answered as it is">Send the failed requests again, or start another probe.</Alert>
      )}
    </div>
  )
}
