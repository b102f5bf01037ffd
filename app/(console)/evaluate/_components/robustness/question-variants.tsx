"use client"
import { useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { rowVariants } from "@/lib/shared/evaluate/figures/row-variants"
import { questionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { useOpenSet } from "../../model/open-set"
import { QuestionChoice } from "../question-choice"
import { AblationResults } from "./ablation-results"
import { StabilityResults } from "./stability-results"

/** Shows the results of a robustness check, one question at a time. */
export function QuestionVariants({ run }: { run: EvaluationRun }) {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const results = useOpenSet((state) => state.results)
  const questions = useMemo(() => questionsOf(run.form), [run.form])
  const [chosen, setChosen] = useState(0)
  const variants = useMemo(() => rowVariants(set, rows, run, results, chosen), [set, rows, run, results, chosen])
  const question = questions[chosen]
  const Results = run.robustness?.kind === "ablation" ? AblationResults : StabilityResults
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
        <Results run={run} question={question} rows={variants} />
      ) : (
        <Alert title="No row was answered as it is">Send the failed requests again, or start another check.</Alert>
      )}
    </div>
  )
}
