"use client"
import { useEffect, useState } from "react"
import { EmptyState } from "@/components/ui/empty-state"
import { SelectField } from "@/components/ui/select"
import { Skeleton } from "@/components/ui/skeleton"
import type { RunWithResults } from "@/lib/shared/evaluate/figures/paired-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { formatDateTime } from "@/lib/shared/format"
import { resultsOf } from "../../model/evaluation-store"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"
import { PrintedRun } from "../run/run-choice"
import { runStatusText } from "../run/run-text"
import { AliasMove } from "./alias-move"
import { Comparison } from "./comparison"

/** Compares two runs of the set, and makes two for an alias that moves. */
export function CompareTab({ control }: { control: RunControl }) {
  const runs = useOpenSet((state) => state.runs)
  const answered = runs.filter(({ status, totals }) => status !== "running" && totals.answered > 0)
  return (
    <div className="flex flex-col gap-10">
      {answered.length < 2 ? (
        <EmptyState title="Two runs are needed">
          Run the set again with another model or other questions. This page then shows which run is better, and the
          rows whose answer changed.
        </EmptyState>
      ) : (
        <Pair runs={answered} />
      )}
      <AliasMove control={control} />
    </div>
  )
}

/** Returns the runs to show first: the newest one, and the run that it follows or the one before it. */
function firstPair(
  runs: readonly EvaluationRun[],
): [before: EvaluationRun | undefined, after: EvaluationRun | undefined] {
  const [after, previous] = runs
  return [runs.find(({ id }) => id === after?.follows) ?? previous, after]
}

function Pair({ runs }: { runs: EvaluationRun[] }) {
  const [chosen, setChosen] = useState<{ before?: string; after?: string }>({})
  const [before, after] = firstPair(runs)
  const runOf = (id: string | undefined, otherwise: EvaluationRun | undefined) =>
    runs.find((run) => run.id === id) ?? otherwise
  const [first, second] = [runOf(chosen.before, before), runOf(chosen.after, after)]
  if (!first || !second) return null
  return (
    <div className="flex flex-col gap-8">
      <div className="grid gap-4 sm:grid-cols-2 print:hidden">
        <RunChoice label="First run" runs={runs} run={first} onRun={(id) => setChosen({ ...chosen, before: id })} />
        <RunChoice label="Second run" runs={runs} run={second} onRun={(id) => setChosen({ ...chosen, after: id })} />
      </div>
      <div className="hidden flex-col gap-1 print:flex">
        <PrintedRun label="First run" run={first} />
        <PrintedRun label="Second run" run={second} />
      </div>
      <Loaded key={`${first.id} ${second.id}`} first={first} second={second} />
    </div>
  )
}

interface RunChoiceProps {
  label: string
  runs: EvaluationRun[]
  run: EvaluationRun
  onRun: (id: string) => void
}

function RunChoice({ label, runs, run, onRun }: RunChoiceProps) {
  const options = runs.map((each) => ({
    value: each.id,
    label: `${each.pinnedId}, ${formatDateTime(new Date(each.startedAt))} UTC, ${runStatusText(each)}`,
  }))
  return <SelectField label={label} value={run.id} options={options} onChoose={onRun} />
}

function Loaded({ first, second }: { first: EvaluationRun; second: EvaluationRun }) {
  const [pair, setPair] = useState<[RunWithResults, RunWithResults] | null>(null)
  useEffect(() => {
    let isCurrent = true
    const load = async (run: EvaluationRun) => ({ run, results: await resultsOf(run.id) })
    void Promise.all([load(first), load(second)]).then((loaded) => isCurrent && setPair(loaded))
    return () => {
      isCurrent = false
    }
  }, [first, second])
  if (first.id === second.id)
    return <p className="text-ink-muted">Choose two different runs: a run does not differ from itself.</p>
  return pair ? <Comparison first={pair[0]} second={pair[1]} /> : <Skeleton className="h-64" />
}
