"use client"
import { useEffect, useEffectEvent, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Skeleton } from "@/components/ui/skeleton"
import type { EvaluationRun } from "../../model/evaluation-run"
import { resultsOf, runsOf } from "../../model/evaluation-store"
import { firstShown, type OpenSet, OpenSetProvider, useOpenSet, useOpenSetStore } from "../../model/open-set"
import { useRowSummary } from "../../model/use-row-summary"
import { refreshRun } from "../../run/prepare-run"
import { useFollowing } from "../../run/use-following"
import { useRunner } from "../../run/use-runner"
import { RunChoice } from "../run/run-choice"
import { RunProblems } from "../run/run-problems"
import { RunStatus } from "../run/run-status"
import { AblationResults } from "./ablation-results"
import { PROBE_NAMES } from "./check-names"
import { NewProbe } from "./new-probe"
import { StabilityResults } from "./stability-results"

type Probes = Pick<OpenSet, "runs" | "run" | "results">

async function loadProbes(setId: string): Promise<Probes> {
  const stored = (await runsOf(setId)).filter(({ probe }) => probe)
  const runs = await Promise.all(stored.map(async (run) => (await refreshRun(run)) ?? run))
  const run = firstShown(runs)
  return { runs, run, results: run ? await resultsOf(run.id) : [] }
}

/** Shows how stable answers are and what moves them. A probe is stored as a run, but is listed only on this tab. */
export function ProbeTab() {
  const { getState } = useOpenSetStore()
  const [probes, setProbes] = useState<Probes | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const load = useEffectEvent(() => {
    loadProbes(getState().set.id).then(setProbes, () => setUnreadable(true))
  })
  useEffect(() => load(), [])
  if (isUnreadable)
    return (
      <Alert tone="danger" role="alert">
        The probes in this browser could not be read. Reload the page.
      </Alert>
    )
  if (!probes) return <Skeleton className="h-64" />
  const { set, rows } = getState()
  return (
    <OpenSetProvider opened={{ set, rows, ...probes }}>
      <ProbePage />
    </OpenSetProvider>
  )
}

export const probeName = ({ probe }: EvaluationRun): string => PROBE_NAMES[probe?.kind ?? "stability"]

function ProbePage() {
  useRowSummary()
  useFollowing()
  const control = useRunner()
  const run = useOpenSet((state) => state.run)
  const isOver = run === null || run.status === "finished" || run.status === "cancelled"
  return (
    <div className="flex flex-col gap-8">
      <div className="flex max-w-3xl flex-col gap-8 empty:hidden">
        <RunChoice label="Probe" nameOf={probeName} />
        {run ? (
          <div className={isOver ? "print:hidden" : undefined}>
            <RunStatus run={run} control={control} />
          </div>
        ) : null}
        <RunProblems />
      </div>
      {run && isOver && run.totals.answered > 0 ? (
        run.probe?.kind === "ablation" ? (
          <AblationResults key={run.id} run={run} />
        ) : (
          <StabilityResults key={run.id} run={run} />
        )
      ) : null}
      {isOver ? <NewProbe control={control} /> : null}
    </div>
  )
}
