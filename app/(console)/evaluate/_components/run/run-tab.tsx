"use client"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"
import { NewRun } from "./new-run"
import { RunProblems, RunStatus } from "./run-status"

/** Shows the price of a run before it starts, and then its progress. */
export function RunTab({ control }: { control: RunControl }) {
  const run = useOpenSet((state) => state.run)
  const isOver = run === null || run.status === "finished" || run.status === "cancelled"
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      {run ? <RunStatus run={run} control={control} /> : null}
      <RunProblems />
      {isOver ? <NewRun control={control} /> : null}
    </div>
  )
}
