"use client"
import { Alert } from "@/components/ui/alert"
import { type RunProblem, useOpenSet } from "../../model/open-set"

const PROBLEMS: Record<RunProblem, string> = {
  busy: "Another run is under way in this tab, or another tab runs this set. Wait for it, or pause it.",
  not_stored:
    "This browser has no room for the results, so the run stopped. Remove a set that you no longer need, and resume.",
  not_runnable: "The questions of this run can no longer be read. Start a new run.",
  worker_failed: "The run stopped because of an error in the page. Reload it, and resume.",
}

/** Explains what went wrong with a run in this tab. */
export function RunProblems() {
  const problem = useOpenSet((state) => state.problem)
  if (!problem) return null
  return (
    <Alert tone="danger" role="alert">
      {PROBLEMS[problem]}
    </Alert>
  )
}
