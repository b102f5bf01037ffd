"use client"
import { type ReactNode, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { type RowVariants, rowVariants } from "@/lib/shared/evaluate/figures/row-variants"
import { questionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import type { CheckedQuestion } from "@/questions/question-types"
import { useOpenSet } from "../../model/open-set"
import { QuestionChoice } from "../question-choice"

export interface VariantsOfQuestion {
  run: EvaluationRun
  question: CheckedQuestion
  rows: RowVariants[]
}

interface QuestionVariantsProps {
  run: EvaluationRun
  render: (props: VariantsOfQuestion) => ReactNode
}

/** Lets the user choose one question of a robustness check, and renders the rows that have an answer to it. */
export function QuestionVariants({ run, render }: QuestionVariantsProps) {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const results = useOpenSet((state) => state.results)
  const questions = useMemo(() => questionsOf(run.form), [run.form])
  const [chosen, setChosen] = useState(0)
  const variants = useMemo(() => rowVariants(set, rows, run, results, chosen), [set, rows, run, results, chosen])
  const question = questions[chosen]
  if (!question) return null
  return (
    <div className="flex flex-col gap-8">
      <QuestionChoice
        names={questions.map(({ name }) => name)}
        chosen={question.name}
        prefix="Robustness of"
        onChoose={(name) => setChosen(questions.findIndex((each) => each.name === name))}
      />
      {variants.length > 0 ? (
        render({ run, question, rows: variants })
      ) : (
        <Alert title="No row was answered as it is">Send the failed requests again, or start another check.</Alert>
      )}
    </div>
  )
}
