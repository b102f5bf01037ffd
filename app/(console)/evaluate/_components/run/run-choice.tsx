"use client"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { formatDateTime } from "@/lib/shared/format"
import type { EvaluationRun } from "../../model/evaluation-run"
import { resultsOf } from "../../model/evaluation-store"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { runStatusText } from "./run-text"

interface RunChoiceProps {
  label: string
  /** Comes before the time and the model of a run. */
  nameOf?: (run: EvaluationRun) => string
}

/** Chooses which run is shown. Renders nothing while there is only one. */
export function RunChoice({ label, nameOf }: RunChoiceProps) {
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
    <Field label={label} className="max-w-xl print:hidden">
      <Select value={run?.id} disabled={isRunning} onChange={({ target }) => void choose(target.value)}>
        {runs.map((other) => (
          <option key={other.id} value={other.id}>
            {nameOf ? `${nameOf(other)}, ` : ""}
            {formatDateTime(new Date(other.startedAt))} UTC, {other.pinnedId}, {runStatusText(other)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
