"use client"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { useOpenSet } from "../../model/open-set"
import { showTab } from "../address"
import { ExportResults } from "../export/export-results"
import { RunChoice } from "../run/run-choice"
import { QuestionResults } from "./question-results"

/** Shows what a run found, and what can be done with it. */
export function ResultsTab() {
  const run = useOpenSet((state) => state.run)
  const hasAnswers = useOpenSet(({ results }) => results.some(({ status }) => status === "answered"))
  return (
    <div className="flex flex-col gap-8">
      <RunChoice label="Results of" />
      {run && hasAnswers ? (
        <>
          <QuestionResults />
          <ExportResults />
        </>
      ) : (
        <NoResults isRunning={run?.status === "running"} />
      )}
    </div>
  )
}

function NoResults({ isRunning }: { isRunning: boolean }) {
  return (
    <EmptyState
      title={isRunning ? "The run is not over yet" : "No results yet"}
      action={<Button onClick={() => showTab("run")}>Go to the run</Button>}
    >
      When rows are answered, this page compares the answers with the labels.
    </EmptyState>
  )
}
