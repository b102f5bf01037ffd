"use client"
import { useEffect, useEffectEvent, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Skeleton } from "@/components/ui/skeleton"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { OpenSetProvider, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { loadRuns } from "../../run/load-runs"
import { useFollowing } from "../../run/use-following"
import { useRunner } from "../../run/use-runner"
import { RunChoice } from "../run/run-choice"
import { RunProblems } from "../run/run-problems"
import { RunStatus } from "../run/run-status"
import { KIND_NAMES } from "./check-names"
import { NewRobustnessCheck, type UsableRows } from "./new-robustness-check"
import { QuestionVariants } from "./question-variants"

/** Shows how stable answers are and what moves them. A robustness check is stored as a run, but is listed only on this tab. */
export function RobustnessTab() {
  const { getState } = useOpenSetStore()
  const usable = useOpenSet(({ summary }) => summary?.usable)
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
