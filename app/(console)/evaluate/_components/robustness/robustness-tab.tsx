"use client"
import { useEffect, useEffectEvent, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Skeleton } from "@/components/ui/skeleton"
import { rowVariants } from "@/lib/shared/evaluate/figures/row-variants"
import { questionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { OpenSetProvider, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { loadRuns } from "../../run/load-runs"
import { useFollowing } from "../../run/use-following"
import { useRunner } from "../../run/use-runner"
import { QuestionChoice } from "../question-choice"
import { RunChoice } from "../run/run-choice"
import { RunProblems } from "../run/run-problems"
import { RunStatus } from "../run/run-status"
import { AblationResults } from "./ablation-results"
import { KIND_NAMES } from "./check-names"
import { NewRobustnessCheck, type UsableRows } from "./new-robustness-check"
import { StabilityResults } from "./stability-results"

/** Shows how stable answers are and what moves them. A robustness check is stored as a run, but is listed only on this tab. */
export function RobustnessTab() {
  const { getState } = useOpenSetStore()
  const usable = useOpenSet(({ summary }) => summary?.distinct)
  const [checks, setChecks] = useState<Awaited<ReturnType<typeof loadRuns>> | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const load = useEffectEvent(() => {
    loadRuns(getState().set.id, ({ robustness }) => robustness !== undefined).then(setChecks, () => setUnreadable(true))
  })
  useEffect(() => load(), [])
  if (isUnreadable)
    return (
      <Alert tone="danger" role="alert">
        The robustness checks in this browser could not be read. Reload the page.
      </Alert>
    )
  if (!checks) return <Skeleton className="h-64" />
  const { set, rows } = getState()
  return (
    <OpenSetProvider opened={{ set, rows, ...checks }}>
      <RobustnessPage usable={usable} />
    </OpenSetProvider>
  )
}

const kindName = ({ robustness }: EvaluationRun): string => KIND_NAMES[robustness?.kind ?? "stability"]

function RobustnessPage({ usable }: { usable: UsableRows }) {
  useFollowing()
  const control = useRunner()
  const run = useOpenSet((state) => state.run)
  const isOver = run === null || run.status === "finished" || run.status === "cancelled"
  return (
    <div className="flex flex-col gap-8">
      <div className="flex max-w-3xl flex-col gap-8 empty:hidden">
        <RunChoice label="Robustness check" nameOf={kindName} />
        {run ? (
          <div className={isOver ? "print:hidden" : undefined}>
            <RunStatus run={run} control={control} />
          </div>
        ) : null}
        <RunProblems />
      </div>
      {run && isOver && run.totals.answered > 0 ? <QuestionVariants key={run.id} run={run} /> : null}
      {isOver ? <NewRobustnessCheck control={control} usable={usable} /> : null}
    </div>
  )
}

/** Shows the results of a robustness check, one question at a time. */
function QuestionVariants({ run }: { run: EvaluationRun }) {
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
