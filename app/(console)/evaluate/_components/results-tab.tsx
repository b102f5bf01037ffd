"use client"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { formatDateTime } from "@/lib/shared/format"
import { resultsOf } from "../model/evaluation-store"
import { useOpenSet, useOpenSetStore } from "../model/open-set"
import { showTab } from "./address"
import { QuestionResults } from "./results/question-results"
import { runStatusText } from "./run/run-text"
import { TakeAway } from "./take-away/take-away"

/** Shows what a run found, and what can be done with it. */
export function ResultsTab() {
  const run = useOpenSet((state) => state.run)
  const hasAnswers = useOpenSet(({ results }) => results.some(({ status }) => status === "answered"))
  const { getState } = useOpenSetStore()
  if (!run || !hasAnswers)
    return (
      <EmptyState
        title={run?.status === "running" ? "The run is not over yet" : "No results yet"}
        action={<Button onClick={() => showTab(getState().set.id, "run")}>Go to the run</Button>}
      >
        When rows are answered, this page compares the answers with the labels.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-8">
      <RunField />
      <QuestionResults />
      <TakeAway />
    </div>
  )
}

function RunField() {
  const { update } = useOpenSetStore()
  const runs = useOpenSet((state) => state.runs)
  const run = useOpenSet((state) => state.run)
  const isRunning = useOpenSet(({ progress }) => progress !== null)
  if (runs.length < 2) return null
  const choose = async (id: string) => {
    const chosen = runs.find((other) => other.id === id)
    if (chosen) update({ run: chosen, results: await resultsOf(id) })
  }
  return (
    <Field label="Results of" className="max-w-xl print:hidden">
      <Select value={run?.id} disabled={isRunning} onChange={({ target }) => void choose(target.value)}>
        {runs.map((other) => (
          <option key={other.id} value={other.id}>
            {formatDateTime(new Date(other.startedAt))} UTC, {other.pinnedId}, {runStatusText(other)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
