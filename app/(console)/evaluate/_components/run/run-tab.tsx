"use client"
import { lazy, Suspense } from "react"
import { Skeleton } from "@/components/ui/skeleton"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"
import { NewRun } from "./new-run"
import { RunProblems } from "./run-problems"

// Loads when there is a run to show.
const RunStatus = lazy(() => import("./run-status").then((file) => ({ default: file.RunStatus })))

/** Shows the price of a run before it starts, and then its progress. */
export function RunTab({ control }: { control: RunControl }) {
  const run = useOpenSet((state) => state.run)
  const isOver = run === null || run.status === "finished" || run.status === "cancelled"
  return (
    <div className="flex max-w-3xl flex-col gap-8">
      {run ? (
        <Suspense fallback={<Skeleton className="h-32" />}>
          <RunStatus run={run} control={control} />
        </Suspense>
      ) : null}
      <RunProblems />
      {isOver ? <NewRun control={control} /> : null}
    </div>
  )
}
