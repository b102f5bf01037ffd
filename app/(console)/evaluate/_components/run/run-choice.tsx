"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { SelectField } from "@/components/ui/select"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { formatDateTime } from "@/lib/shared/format"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { runStatusText } from "./run-text"

interface RunChoiceProps {
  label: string
  /** Comes before the time and the model of a run. */
  nameOf?: (run: EvaluationRun) => string
}

/** Says on paper, where no choice can be opened, which run a page is about. */
export const PrintedRun = ({ label, run, nameOf }: RunChoiceProps & { run: EvaluationRun }) => (
  <p className="wrap-anywhere hidden print:block">
    <span className="font-medium">{label}:</span> {runText(run, nameOf)}
  </p>
)

const runText = (run: EvaluationRun, nameOf: RunChoiceProps["nameOf"]): string =>
  `${nameOf ? `${nameOf(run)}, ` : ""}${formatDateTime(new Date(run.startedAt))} UTC, ${run.pinnedId}, ${runStatusText(run)}`

/** Chooses which run is shown. There is no choice while there is only one. */
export function RunChoice({ label, nameOf }: RunChoiceProps) {
  const { chooseRun } = useOpenSetStore()
  const runs = useOpenSet((state) => state.runs)
  const run = useOpenSet((state) => state.run)
  const isRunning = useOpenSet(({ progress }) => progress !== null)
  const [isUnreadable, setUnreadable] = useState(false)
  if (!run) return null
  const printed = <PrintedRun label={label} run={run} nameOf={nameOf} />
  if (runs.length < 2) return printed
  const choose = async (id: string) => {
    setUnreadable(false)
    if (!(await chooseRun(id))) setUnreadable(true)
  }
  return (
    <>
      <SelectField
        label={label}
        value={run.id}
        options={runs.map((other) => ({ value: other.id, label: runText(other, nameOf) }))}
        disabled={isRunning}
        className="max-w-xl print:hidden"
        onChoose={(id) => void choose(id)}
      />
      {isUnreadable ? (
        <Alert tone="danger" role="alert">
          The results of the chosen run could not be read, so the previous run is still shown. Choose the run again, or
          reload the page.
        </Alert>
      ) : null}
      {printed}
    </>
  )
}
